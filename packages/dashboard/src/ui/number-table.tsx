interface NumberTableProps {
  /** The name of what the rows are of, then those of the numbers. */
  readonly head: readonly [string, ...string[]];
  readonly rows: readonly (readonly [name: string, ...numbers: string[]])[];
}

/** A row of numbers for each of some things. */
export function NumberTable({ head: [first, ...numbers], rows }: NumberTableProps) {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {numbers.map((number) => (
              <th key={number} scope="col" class="number">
                {number}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td key={numbers[at]} class="number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
