import { kept, type LabelledPair, replaced } from "../pairs.ts";

/** Labelled by someone who has not seen the local models' rules, which may be tuned on it since. */
export const DEVELOPMENT_PAIRS: readonly LabelledPair[] = [
  // The newer one takes the older one's place.
  replaced("Zuri lives in Odense", "Zuri moved to Malmö in April"),
  replaced("The user lives in Bremen", "The user has moved back to Oldenburg"),
  replaced("The user shares a flat with Tomke", "The user lives alone now"),
  replaced(
    "The user's billing address is 5 Mill Lane",
    "The user's billing address is 27 Harbour Row",
  ),
  replaced("The user works at a call centre", "The user left the call centre for a radio station"),
  replaced("Svetlana is on the platform team", "Svetlana moved to the data team"),
  replaced("The scrum master is Ulrike", "Tariq is the new scrum master"),
  replaced("Emeka is an intern", "Emeka was hired full time"),
  replaced("The user is studying law", "The user dropped out of law school"),
  replaced("The user drives a 2009 Opel", "The user bought a Dacia to replace the Opel"),
  replaced("The user's laptop runs Debian", "The user's laptop runs Fedora now"),
  replaced("The user uses Instagram every day", "The user deleted Instagram"),
  replaced("The daily is at 9:30", "The daily has been pushed back to 9:45"),
  replaced("Practice is on Tuesday", "Practice moved from Tuesday to Thursday"),
  replaced("The inspection is due on April 17", "The inspection is due on April 28"),
  replaced(
    "The group project is due on Friday",
    "The professor extended the group project to Tuesday",
  ),
  replaced("A half day costs 22 euros", "A half day now costs 25 euros"),
  replaced("Dues are 35 pounds a year", "Dues have gone up to 40 pounds a year"),
  replaced("Payment terms are 30 days", "Payment terms are 14 days"),
  replaced(
    "The company is called Brightwell Studio",
    "The company changed its name to Brightwell Framing",
  ),
  replaced("The gateway is written in Go", "The gateway was rewritten in Elixir"),
  replaced("The repository is on GitHub", "The repository moved to a self-hosted server"),
  replaced("Lessons take 45 minutes", "Lessons take 60 minutes"),
  replaced("The salon accepts cats", "The salon no longer accepts cats"),
  replaced("The user eats breakfast every day", "The user does not eat breakfast any more"),
  replaced("The user loves spicy food", "The user can not stand spicy food any more"),
  replaced("Paloma is engaged to Kenji", "Paloma called off the engagement with Kenji"),
  replaced("Florian is single", "Florian got engaged"),
  replaced("The spare key is with Mrs. Nakagawa", "The spare key is with the caretaker"),
  replaced("The user banks with Lloyds", "The user switched to Monzo"),
  replaced("The user's username is kestrel_43", "The user's username is kestrel_44"),
  replaced("The kayak rental has ten boats", "The kayak rental has twelve boats"),
  replaced("Anselm is in second grade", "Anselm is in third grade"),
  replaced("The user prefers phone calls", "The user prefers email to phone calls now"),
  replaced("The user wants long explanations", "The user wants short paragraphs"),
  replaced("The user is unemployed", "The user got a job as a proofreader"),
  replaced("Shipping to the US is available", "Shipping to the US is paused"),
  replaced(
    "The bridge club meets at the Anchor",
    "The bridge club meets at the town hall from now on",
  ),
  replaced("Salome does the books", "A tax adviser does the books instead of Salome"),
  replaced("The user has never been to Chile", "The user visited Chile in January"),

  // Another person or thing.
  kept("Zuri lives in Malmö", "Zuri's parents live in Odense"),
  kept("Kenji gets motion sick", "Paloma gets migraines on planes"),
  kept("Oksana approves the budget", "Lamar approves the staffing"),
  kept("The oldest barrel is oak", "The newest barrel is steel"),
  kept("The July invoice was paid", "The August invoice was sent"),
  kept("Anselm is in third grade", "Odalys is in sixth grade"),
  kept("The user's son plays handball", "The user's daughter plays the bassoon"),
  kept("A half day costs 25 euros", "A full day costs 40 euros"),
  kept("The Go service stays up until March", "The Ruby service was shut down"),
  kept("Rosalind is the contact at Falkner", "Yaw is the contact at Lindenhall"),
  kept("The spare key is with Mrs. Nakagawa", "The cellar key is with the caretaker"),
  kept("The anatomy exam is on May 11", "The chemistry exam is on May 19"),

  // One more of a kind of which there may be several.
  kept("The user grows figs", "The user grows chillies"),
  kept("The user has a cockatoo", "The user bought an aquarium"),
  kept("Emeka maintains the parser", "Emeka maintains the lexer"),
  kept("The user teaches yoga", "The user teaches pilates"),
  kept("The user does not like eggs", "The user does not like olives"),
  kept("The kitchen supplies two hotels", "The kitchen supplies a nursery"),
  kept("Ruairi restores pianos", "Ruairi tunes organs"),
  kept("The user is a member of the bridge club", "The user joined the rowing club"),

  // Another attribute of the same one, or more about it.
  kept("The user holds a Maltese passport", "The user's passport expires in November"),
  kept("The boiler is a Vokera", "The boiler was installed in 2011"),
  kept("The bridge club meets on Wednesdays", "The bridge club has thirty-one members"),
  kept("Florian is getting married", "Florian is getting married in Bergamo"),
  kept("The user has a dachshund", "The user's dachshund is eleven"),
  kept("Keziah works at the salon", "Keziah works from Monday to Thursday"),
  kept("The user was a headmistress", "The user was a headmistress for thirty years"),
  kept("The depot is in Rotterdam", "The depot's budget is 2.4 million euros"),
  kept(
    "The user's router drops the connection",
    "The user's router has the serial number WR-7719-B",
  ),
  kept("Evangeline does not drink alcohol", "Evangeline does not tell jokes"),

  // The past, and what is only planned or thought about.
  kept("The user works at the aquarium", "The user used to work in a call centre"),
  kept("The user lives in Oldenburg", "The user grew up in Tampere"),
  kept(
    "The user plays the oboe in an orchestra",
    "The user is thinking about leaving the orchestra",
  ),
  kept("The user drives a Dacia", "The user would love to own a Porsche"),
  kept("The team works in pairs", "The team may try mob programming"),
  kept("The user teaches in a studio", "The user's sister wants the user to teach online"),
  kept("The user banks with Monzo", "The user had an account with Lloyds as a child"),

  // Much the same words, of something else.
  kept("The minutes must be in British English", "The minutes must be sent by Friday"),
  kept("The user runs on Saturdays", "The user hates running in the rain"),
  kept("Migrations go into db/changes", "Migrations are reviewed by Yaw"),
];
