import { ask, type LabelledQuestion } from "../questions.ts";

const EVANGELINE = [
  "Evangeline was a headmistress for thirty years",
  "Evangeline's nephew Florian is getting married in Bergamo",
  "Evangeline does not drink alcohol",
  "Evangeline keeps a small orchard near Hereford",
  "Evangeline reads the newspaper aloud to her husband",
  "Evangeline retired in 2004",
];
const USER = [
  "The user works as a seal trainer at the aquarium",
  "The user's cockatoo is called Admiral",
  "The user's rent is 780 euros",
  "The user has pottery class on Thursdays",
  "The user holds a Maltese passport",
  "The user lands in Osaka on August 12 at 17:05",
  "The user does not like spicy food",
];
const SALON = [
  "Keziah is the new groomer at the dog salon",
  "The dog salon no longer takes cats",
  "Big breeds are washed on Fridays",
  "A bath costs 35 euros",
  "The salon is insured with Helvetia",
  "The salon's van failed its inspection",
];
const PROJECT = [
  "The gateway is written in Elixir",
  "Tariq is the scrum master",
  "Migrations are reviewed by Yaw",
  "The daily is at 9:45",
  "The Rotterdam depot has a budget of 2.4 million euros",
  "Imogen is on parental leave until February",
  "Falkner pays within 45 days",
];

/** Labelled by someone who has not seen the local models' rules, which may be tuned on it since. */
export const DEVELOPMENT_QUESTIONS: readonly LabelledQuestion[] = [
  ask("What did Evangeline do before she retired?", EVANGELINE, [0]),
  ask("How long was Evangeline a headmistress?", EVANGELINE, [0]),
  ask("Who is getting married?", EVANGELINE, [1]),
  ask("Where is Florian's wedding?", EVANGELINE, [1]),
  ask("Can I offer Evangeline a glass of wine?", EVANGELINE, [2]),
  ask("Where is Evangeline's orchard?", EVANGELINE, [3]),
  ask("In what year did Evangeline retire?", EVANGELINE, [5]),
  ask("What is Evangeline's husband called?", EVANGELINE),
  ask("How old is Florian?", EVANGELINE),
  ask("Which newspaper is delivered on Sunday?", EVANGELINE),

  ask("what do i do for work", USER, [0]),
  ask("What's my cockatoo's name?", USER, [1]),
  ask("How much is my rent?", USER, [2]),
  ask("Am I free on Thursdays?", USER, [3]),
  ask("Which passport do I have?", USER, [4]),
  ask("When does my plane land in Osaka?", USER, [5]),
  ask("Do I like spicy dishes?", USER, [6]),
  ask("which day is pottery", USER, [3]),
  ask("Who is my landlord?", USER),
  ask("What is my flight number?", USER),
  ask("How old is Admiral?", USER),
  ask("Where did I grow up?", USER),

  ask("Who is the new groomer?", SALON, [0]),
  ask("Does the salon take cats?", SALON, [1]),
  ask("On which day are big breeds washed?", SALON, [2]),
  ask("What's the price of a bath?", SALON, [3]),
  ask("Who is the salon's insurer?", SALON, [4]),
  ask("Did the van pass the inspection?", SALON, [5]),
  ask("How much does Keziah earn?", SALON),
  ask("When does the salon open?", SALON),

  ask("Which language is the gateway written in?", PROJECT, [0]),
  ask("Who is our scrum master?", PROJECT, [1]),
  ask("Who reviews migrations?", PROJECT, [2]),
  ask("What time is the daily?", PROJECT, [3]),
  ask("How big is the budget for Rotterdam?", PROJECT, [4]),
  ask("When is Imogen back?", PROJECT, [5]),
  ask("How fast does Falkner pay?", PROJECT, [6]),
  ask("Who is the architect of the depot?", PROJECT),
  ask("What does the gateway cost per month?", PROJECT),
  ask("Who is covering for Yaw?", PROJECT),
];
