import { Tabs } from "../../ui/tabs.tsx";
import { Decisions } from "./decisions.tsx";
import { RejectedFacts } from "./rejected-facts.tsx";

/** The page of decisions of the classifier and of rejected facts. */
export function Review() {
  return (
    <>
      <header class="page-head">
        <div>
          <h1>Review</h1>
          <p>What the classifier decided, and what of conversations was not remembered.</p>
        </div>
      </header>
      <Tabs
        label="What to review"
        param="tab"
        tabs={[
          { name: "Decisions", content: <Decisions /> },
          { name: "Rejected", content: <RejectedFacts /> },
        ]}
      />
    </>
  );
}
