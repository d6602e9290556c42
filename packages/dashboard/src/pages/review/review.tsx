import { PageHead } from "../../ui/page-head.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Decisions } from "./decisions.tsx";
import { RejectedFacts } from "./rejected-facts.tsx";

/** The page of decisions of the classifier and of rejected facts. */
export function Review() {
  return (
    <>
      <PageHead
        title="Review"
        about="What the classifier decided, and what of conversations was not remembered."
      />
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
