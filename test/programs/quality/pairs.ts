/** An older fact and a newer one. */
export interface LabelledPair {
  readonly older: string;
  readonly newer: string;
  /** Whether the newer replaces the older; of excluded pairs: what the classifier must never be asked. */
  readonly supersedes: boolean;
  /** The category that keeps it from the classifier (D24); null: none. */
  readonly excludedCategory: "health_medical" | "legal_status" | null;
}

export function replaced(older: string, newer: string): LabelledPair {
  return { older, newer, supersedes: true, excludedCategory: null };
}
export function kept(older: string, newer: string): LabelledPair {
  return { older, newer, supersedes: false, excludedCategory: null };
}

/** Reads a table: in each line an older fact and a newer one that leaves it as it is. */
export function keptPairs(table: string): LabelledPair[] {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const [older, newer, ...more] = line.split(" | ");
      if (older === undefined || newer === undefined || more.length > 0)
        throw new Error(`Not two facts: ${line}`);
      return kept(older, newer);
    });
}

function health(older: string, newer: string): LabelledPair {
  return { older, newer, supersedes: false, excludedCategory: "health_medical" };
}
function legal(older: string, newer: string): LabelledPair {
  return { older, newer, supersedes: false, excludedCategory: "legal_status" };
}

/** Labelled before the local models were tuned, which may be tuned on it since (see `parts.ts`). */
export const PAIRS: readonly LabelledPair[] = [
  replaced("Alice lives in Berlin", "Alice moved to Munich"),
  replaced("The user works at Spotify", "The user works at Klarna now"),
  replaced("Bob's favorite color is blue", "Bob's favorite color is green"),
  replaced("The deployment target is AWS", "The deployment target is GCP"),
  replaced("The weekly sync is on Monday", "The weekly sync moved to Wednesday"),
  replaced("The user prefers dark mode", "The user prefers light mode"),
  replaced("Carla is the head of design", "Carla is now the chief product officer"),
  replaced("The Pro plan costs $10 per month", "The Pro plan costs $12 per month"),
  replaced("Dana is the user's manager", "Marek is the user's manager"),
  replaced("The user drives a Golf", "The user drives a Tesla Model 3"),
  replaced("Omar is a student", "Omar is no longer a student"),
  replaced("The release is planned for June 3", "The release was postponed to June 17"),
  replaced("We use Jenkins for CI", "We use Buildkite for CI"),
  replaced("The user smokes", "The user quit smoking"),
  replaced("Lena's phone number is 0170 555 123", "Lena's phone number is 0151 222 987"),
  replaced("The team has 8 engineers", "The team has 11 engineers"),
  replaced("The user's landlord is Mr. Petrov", "The user's landlord is now Ms. Silva"),
  replaced("Kofi studies at MIT", "Kofi transferred to Stanford"),
  replaced("The backup runs at 2am", "The backup runs at 4am"),
  replaced("The user likes sushi", "The user no longer likes sushi"),
  kept("Alice likes tea", "Alice likes coffee"),
  kept("The user has a dog", "The user has a cat"),
  kept("Bob visited Rome in 2019", "Bob visited Athens in 2023"),
  kept("Alice lives in Berlin", "Bob lives in Munich"),
  kept("The user lives in Berlin", "The user works in Potsdam"),
  kept("Lena's phone number is 0170 555 123", "Lena's email is lena@example.com"),
  kept("The staging server runs Debian", "The production server runs Ubuntu"),
  kept("The user speaks French", "The user speaks Polish"),
  kept("The user's favorite color is red", "The user's favorite season is winter"),
  kept("Omar teaches physics", "Omar is learning to sail"),
  kept("Carla bought a house in 2020", "Carla bought a boat"),
  kept("The user lives in Ghent", "The user lives in Ghent, Belgium"),
  kept("Bob might move to Canada", "Bob might buy a cabin"),
  kept("The user's brother lives in Graz", "The user lives in Vienna"),
  kept("Alice enjoys hiking", "Alice enjoys swimming in lakes"),
  kept("The API returns JSON", "The API is rate limited"),
  kept("Tom has a meeting with Acme on Monday", "Tom has a meeting with Initech on Tuesday"),
  kept("The user lives in Lisbon", "The user wants to move to Porto"),
  kept("Mina plays the piano", "Mina plays football on Sundays"),
  kept("The user read Dune last summer", "The user is reading Foundation"),
  health("Alice is allergic to peanuts", "Alice is no longer allergic to peanuts"),
  legal("The user is on a student visa", "The user has a green card"),
  health("The user takes lisinopril", "The user takes losartan medication"),
  legal("Bob is married to Eve", "Bob is divorced"),
  health("Carla has type 2 diabetes", "Carla's diabetes is in remission"),
  legal("Omar is a citizen of Jordan", "Omar is a citizen of Canada"),
  health("The user is pregnant", "The user had a baby in May"),
  legal("Tom is on probation", "Tom's probation ended"),
  health("Dana sees a therapist weekly", "Dana sees a therapist monthly"),
  legal("Lena has custody of her son", "Lena shares custody of her son"),
  health("Kofi's blood pressure is high", "Kofi's blood pressure is normal"),
  legal("The user was sued by a supplier", "The lawsuit was settled"),
  health("The user was diagnosed with asthma", "The user's asthma is gone"),
  legal("Marek applied for asylum", "Marek's asylum application was granted"),
  health("Mina broke her leg", "Mina's leg fracture has healed"),
  legal("The company filed for bankruptcy", "The company left bankruptcy"),
  health("The user uses a wheelchair", "The user no longer uses a wheelchair"),
  legal("Eve was arrested in Lyon", "Eve was acquitted in court"),
  health("Priya is vaccinated against flu", "Priya's flu vaccination expired"),
  legal("The user's visa expires in 2026", "The user's visa expires in 2028"),
];
