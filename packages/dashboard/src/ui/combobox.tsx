import { useEffect, useId, useRef, useState } from "preact/hooks";

/** How long nobody types before suggestions are asked for. */
const PAUSE_MS = 120;

/** Something to choose. */
export interface Suggestion {
  readonly value: string;
  /** The text for people; left out: the value. */
  readonly label?: string;
}

interface ComboboxProps {
  readonly id: string;
  readonly "aria-describedby"?: string | undefined;
  /** The name of the list of suggestions. */
  readonly label: string;
  /** The text in the field: typed, or the label of the choice. */
  readonly value: string;
  readonly placeholder?: string;
  /** Suggestions for a text; "": any. */
  suggest(text: string, signal: AbortSignal): Promise<readonly Suggestion[]>;
  /** A suggestion was chosen, or a text entered, which then is both. */
  onChange(value: string, label: string): void;
}

/** A text with suggestions below it. The arrow keys choose one, Enter takes it, Escape leaves all as it was. */
export function Combobox({
  id,
  label,
  value,
  placeholder,
  suggest,
  onChange,
  ...rest
}: ComboboxProps) {
  const listId = useId();
  const [text, setText] = useState(value);
  /** The text that suggestions are for; null: the list is closed. */
  const [wanted, setWanted] = useState<string | null>(null);
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (wanted === null) return setFound([]);
    const left = new AbortController();
    const timer = setTimeout(() => {
      // Suggestions are a help: without them the text is entered as it is.
      suggest(wanted, left.signal).then(setFound, () => setFound([]));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [wanted]);
  useEffect(() => setActive(-1), [found]);

  const isOpen = wanted !== null && found.length > 0;
  const choose = (chosen: Suggestion) => {
    setWanted(null);
    const { value: chosenValue, label: chosenLabel = chosenValue } = chosen;
    setText(chosenLabel);
    onChange(chosenValue, chosenLabel);
  };
  const enter = () => {
    setWanted(null);
    const entered = text.trim();
    if (entered !== value) onChange(entered, entered);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = isOpen ? found[active] : undefined;
    if (step !== undefined) {
      event.preventDefault();
      if (isOpen) setActive((active + step + found.length) % found.length);
      else setWanted("");
    } else if (event.key === "Enter" && chosen !== undefined) {
      event.preventDefault();
      choose(chosen);
    } else if (event.key === "Enter") {
      // A form around it is sent with what was entered, by the next one.
      if (text.trim() !== value) event.preventDefault();
      enter();
    } else if (event.key === "Escape" && wanted !== null) {
      // A dialog around it stays open.
      event.preventDefault();
      setWanted(null);
      setText(value);
    }
  };
  return (
    <div class="combobox">
      <input
        {...rest}
        id={id}
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
        autocomplete="off"
        value={text}
        placeholder={placeholder}
        onFocus={({ currentTarget }) => {
          currentTarget.select();
          setWanted("");
        }}
        onBlur={enter}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setWanted(currentTarget.value.trim());
        }}
        onKeyDown={press}
      />
      {text !== "" && (
        <button
          type="button"
          class="clear"
          aria-label={`Clear ${label}`}
          onClick={() => {
            setText("");
            if (value !== "") onChange("", "");
            input.current?.focus();
          }}
        >
          ×
        </button>
      )}
      {isOpen && (
        <div id={listId} role="listbox" aria-label={label}>
          {found.map((each, index) => (
            <div
              key={each.value}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              // Before the text loses the focus, and is entered.
              onMouseDown={(event) => {
                event.preventDefault();
                choose(each);
              }}
            >
              {each.label ?? each.value}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
