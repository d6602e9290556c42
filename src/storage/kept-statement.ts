import { CompiledQuery, type RawBuilder, sql } from "kysely";
import type { AccountDb } from "./schema.ts";

/** The values of a statement as parts of it, by their names. */
export type Places<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> };

/** A statement as it is sent, and which value each of its parameters is. */
interface KeptStatement<Values> {
  readonly text: string;
  readonly names: readonly (keyof Values)[];
}

/** Stands among the parameters for the value of that name. */
class Place<Values> {
  readonly name: keyof Values;

  constructor(name: keyof Values) {
    this.name = name;
  }
}

/**
 * A statement of many parts that is put together once for each shape, which takes longer
 * than all else that the service does to send it, and is then sent with other values.
 * `build` is given places for the values, and knows of them by the shape alone; so there
 * must be few shapes.
 */
export function keptStatements<Row, Shape, Values extends object>(
  build: (shape: Shape, places: Places<Values>) => RawBuilder<Row>,
): (db: AccountDb, shape: Shape, values: Values) => Promise<Row[]> {
  const kept = new Map<string, KeptStatement<Values>>();

  function put(db: AccountDb, shape: Shape, values: Values): KeptStatement<Values> {
    const names = Object.keys(values) as (keyof Values)[];
    const places = Object.fromEntries(names.map((name) => [name, sql.val(new Place(name))]));
    const { sql: text, parameters } = build(shape, places as Places<Values>).compile(db);
    return { text, names: parameters.map((place) => (place as Place<Values>).name) };
  }

  return async (db, shape, values) => {
    const key = JSON.stringify(shape);
    const statement = kept.get(key) ?? put(db, shape, values);
    kept.set(key, statement);
    const { text, names } = statement;
    const query = CompiledQuery.raw(
      text,
      names.map((name) => values[name]),
    );
    const { rows } = await db.executeQuery<Row>(query as CompiledQuery<Row>);
    return rows;
  };
}

/** The values themselves, for a statement that is put together each time. */
export function asPlaces<Values extends object>(values: Values): Places<Values> {
  const entries = Object.entries(values).map(([name, value]) => [name, sql.val(value)]);
  return Object.fromEntries(entries) as Places<Values>;
}
