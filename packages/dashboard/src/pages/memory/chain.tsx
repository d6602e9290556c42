import { timestampDate } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import { Check } from "../../ui/field.tsx";
import { MemoryLink, State, Time } from "../../ui/value.tsx";
import { Actions } from "./actions.tsx";
import { ChainPicture } from "./chain-picture.tsx";
import type { ChainVersion, LoadedChain } from "./load-chain.ts";

interface ChainProps {
  readonly chain: LoadedChain;
  readonly shownId: string;
  readonly onChange: () => void;
}

export function Chain({ chain: { versions, length }, shownId, onChange }: ChainProps) {
  const [showsLearned, setShowsLearned] = useState(false);
  const [isToScale, setToScale] = useState(false);
  if (length < 2) return null;
  const pictured = { versions, shownId, isToScale };
  const rowOf = (version: ChainVersion) => {
    const { memory, end } = version;
    const { id, decision, validFrom, validTo, temporal } = memory;
    const isShown = id === shownId;
    // Within a day the times of day tell the bounds apart.
    const dayOf = (time: typeof validTo) => time && timestampDate(time).toDateString();
    const precision = { withDayAlone: dayOf(validFrom) !== dayOf(validTo), withSeconds: true };
    return (
      <li key={id} aria-current={isShown || undefined}>
        <State memory={memory} />
        <div>
          {isShown ? (
            <strong class="clamped" dir="auto">
              {decision}
            </strong>
          ) : (
            <MemoryLink id={id} decision={decision} />
          )}
          <p class="hint">
            <Time at={validFrom} {...precision} /> – <Time at={validTo} none="now" {...precision} />
          </p>
          {temporal?.isSuperseded && end !== null && (
            <>
              {end.reason !== undefined && <p class="reason">{end.reason}</p>}
              <p class="hint">
                {end.confidence === undefined
                  ? "Superseded manually"
                  : `Automatic supersession with a confidence of ${end.confidence.toFixed(2)}`}
                , <Time at={end.at} />
              </p>
            </>
          )}
        </div>
        <Actions version={version} all={versions} onChange={onChange} />
      </li>
    );
  };
  return (
    <section class="card" aria-label="Timeline">
      <div class="chain-head">
        <h2>How it changed</h2>
        <span class="facts">
          <Check checked={isToScale} onToggle={() => setToScale(!isToScale)}>
            True to scale
          </Check>
          <Check checked={showsLearned} onToggle={() => setShowsLearned(!showsLearned)}>
            When we learned it
          </Check>
        </span>
      </div>
      {versions.length < length && (
        <p class="hint">
          {versions.length} of {length.toLocaleString()} versions: those around this one.
        </p>
      )}
      {showsLearned && <h3>When it was true</h3>}
      <ChainPicture title="When each version was true" time="valid" {...pictured} />
      {showsLearned && (
        <>
          <h3>When we learned it</h3>
          <ChainPicture title="When each version was learned" time="learned" {...pictured} />
        </>
      )}
      <ol class="versions">{versions.map(rowOf)}</ol>
    </section>
  );
}
