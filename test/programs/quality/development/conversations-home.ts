import type { LabelledConversation } from "../conversations.ts";
import { named, ours, relative, spring, summer, typed } from "../label.ts";

/** Parents, students, careful letters, households. */
export const HOME: readonly LabelledConversation[] = [
  spring(
    [
      "user: My son Anselm is in third grade and he refuses to do his reading.",
      "assistant: What does he like?",
      "user: Trains, volcanoes and anything with slime. His sister Odalys reads a book a day, which doesn't help.",
      "user: His teacher, Mr. Bakshi, suggested comics. What do you think?",
    ],
    [
      relative("son", "Anselm", "is in third grade"),
      relative("son", "Anselm", "refuses to do his reading"),
      relative("son", "Anselm", "likes trains, volcanoes and anything with slime"),
      "The user's daughter Odalys reads a book a day || Odalys reads a book a day || The user's son's sister Odalys reads a book a day || Anselm's sister Odalys reads a book a day || The user's daughter reads a book a day || The user's son Anselm's sister Odalys reads a book a day",
      "The user's son's teacher is Mr. Bakshi || Anselm's teacher is Mr. Bakshi || Anselm's teacher, Mr. Bakshi, suggested comics || The user's son's teacher, Mr. Bakshi, suggested comics || The user's son Anselm's teacher is Mr. Bakshi || The user's son Anselm's teacher, Mr. Bakshi, suggested comics",
    ],
  ),
  summer(
    [
      "user: soccer camp runs july 27 to 31, drop off is 8:15",
      "assistant: For both kids?",
      "user: just for nico, he's the goalie. maja's little brother lol i always mix them up",
      "user: my ex picks him up on wednesdays",
    ],
    typed([
      "Soccer camp runs July 27 to 31 || The soccer camp runs from July 27 to 31 || Soccer camp runs from July 27 to 31 || Nico's soccer camp runs July 27 to 31",
      "Drop off is 8:15 || Drop off is at 8:15 || The drop off is at 8:15",
      "Nico is the goalie || The user's son Nico is the goalie || The user's son is the goalie",
      "The user's ex picks Nico up on Wednesdays || The user's ex picks him up on Wednesdays",
    ]),
  ),
  spring(
    [
      "user: I'm on my own with three kids this week, my wife is at a trade fair in Leipzig.",
      "assistant: That's a lot. What would help?",
      "user: A meal plan. Two of them won't touch fish and the youngest is allergic to kiwi.",
      "user: I can cook, I just don't want to think.",
    ],
    [
      "The user's wife is at a trade fair in Leipzig || The user's wife is at a trade fair in Leipzig this week",
      "The user has three kids || The user is on their own with three kids || The user is on their own with three kids this week || The user is on their own with three kids in the week of 2026-04-20 || The user has three children",
      "The user's youngest is allergic to kiwi || The youngest is allergic to kiwi || The user's youngest child is allergic to kiwi || The user's youngest kid is allergic to kiwi",
      "Two of the user's kids will not touch fish || Two of them will not touch fish || Two of the user's children will not touch fish || Two of the user's three kids do not eat fish",
    ],
  ),
  summer([
    "user: why do toddlers throw everything",
    "assistant: They are testing cause and effect.",
    "user: great, and my phone is the effect",
    "user: lol ok. at least its cute",
  ]),
  spring(
    [
      "user: Our eldest got into the conservatory in Weimar! She plays the bassoon.",
      "assistant: Congratulations to her!",
      "user: She moves out in September. Then it's only the two of us and the dachshund.",
    ],
    [
      "The user's eldest got into the conservatory in Weimar",
      "The user's eldest plays the bassoon || The user's eldest daughter plays the bassoon",
      "The user's eldest moves out in September || The user's eldest daughter moves out in September || The user's eldest moves out in 2026-09",
      "The user has a dachshund",
    ],
  ),
  spring(
    [
      "user: hey so im in my 2nd year of nursing school in tampere",
      "assistant: How's it going?",
      "user: good, but anatomy kills me. exam is on may 11 n i need 60 points",
      "user: i learn best w flashcards. pls quiz me 10 at a time",
    ],
    typed([
      "The user is in their 2nd year of nursing school in Tampere || The user is in the user's 2nd year of nursing school in Tampere || The user is in the 2nd year of nursing school in Tampere",
      "The exam is on May 11 || The user's exam is on May 11 || The anatomy exam is on May 11 || The user's anatomy exam is on May 11 || The user's exam is on 2026-05-11",
      "The user needs 60 points || The user needs 60 points in the anatomy exam || The user needs 60 points in the exam",
      "The user learns best with flashcards || The user learns best w flashcards",
      "The user wants to be quizzed 10 at a time || The user wants to be quizzed on 10 at a time || The user wants to be quizzed 10 flashcards at a time",
    ]),
  ),
  summer(
    [
      "user: I've dropped out of law school and I'm applying for an apprenticeship as a luthier.",
      "assistant: That is a big step. How do you feel?",
      "user: Relieved. My parents don't know yet. The workshop is in Mittenwald.",
      "user: The trial week starts on the 10th of August.",
    ],
    [
      "The user has dropped out of law school || The user dropped out of law school",
      "The user is applying for an apprenticeship as a luthier",
      "The user's parents do not know yet || The user's parents do not know that the user dropped out of law school || The user's parents do not know",
      "The workshop is in Mittenwald || The user's workshop is in Mittenwald",
      "The trial week starts on the 10th of August || The user's trial week starts on the 10th of August || The trial week starts on August 10 || The trial week starts on 2026-08-10 || The user's trial week starts on 2026-08-10",
    ],
  ),
  spring([
    "user: Summarise this: 'I was born in Tartu and have worked as a glassblower all my life. My sister Maive keeps goats.'",
    "assistant: A glassblower from Tartu whose sister keeps goats.",
    "user: Shorter please.",
    "assistant: A Tartu glassblower.",
  ]),
  summer([
    "user: whats the difference between affect and effect",
    "assistant: Affect is usually the verb, effect the noun.",
    "user: and the derivative of x squared",
    "assistant: 2x.",
    "user: ur the best tutor ever",
  ]),
  summer(
    [
      "user: our group project is due on tuesday and jasper hasnt done anything 😤",
      "assistant: Have you talked to him?",
      "user: he doesnt answer. im doing the slides, bettina does the poster",
      "user: if he doesnt show up im telling the prof",
    ],
    typed([
      "The user's group project is due on 2026-07-21 || The group project is due on 2026-07-21",
      "Jasper has not done anything",
      "The user is doing the slides || The user does the slides",
      "Bettina does the poster || Bettina is doing the poster",
    ]),
  ),
  spring(
    [
      "user: Dear Sir or Madam, I am writing on behalf of my wife, Constance, who can no longer type.",
      "assistant: I'm glad to help you both.",
      "user: We have been married for fifty-one years and keep a small orchard near Hereford.",
      "user: She was a court stenographer, and I repaired clocks until I retired in 2004.",
      "user: Kindly write in short paragraphs, as I read aloud to her.",
    ],
    [
      relative("wife", "Constance", "can no longer type"),
      "The user has been married for fifty-one years || The user and their wife have been married for fifty-one years || The user and Constance have been married for fifty-one years",
      "The user keeps a small orchard near Hereford || The user and their wife keep a small orchard near Hereford || The user and Constance keep a small orchard near Hereford",
      relative("wife", "Constance", "was a court stenographer"),
      "The user repaired clocks until they retired in 2004 || The user repaired clocks until the user retired in 2004 || The user repaired clocks until 2004",
      "The user wants short paragraphs || The user wants replies in short paragraphs || The user prefers short paragraphs",
    ],
  ),
  summer(
    [
      "user: My name is Evangeline and I have mislaid my spectacles, so please excuse any errors.",
      "assistant: Not at all, Evangeline.",
      "user: My nephew Florian is to be married in Bergamo on the 12th of September, and I am to give a toast.",
      "user: I do not drink alcohol, nor do I tell jokes. I was a headmistress for thirty years.",
    ],
    named("Evangeline", [
      relative("nephew", "Florian", "is to be married in Bergamo on the 12th of September"),
      "The user is to give a toast || The user is to give a toast at the wedding || The user is giving a toast",
      "The user does not drink alcohol",
      "The user was a headmistress for thirty years",
    ]),
  ),
  spring(
    [
      "user: I should be obliged if you would remind me of the parish council on the first Monday of every month.",
      "assistant: Gladly. At what time?",
      "user: At half past seven, in the old schoolhouse. I have been its secretary since 1998.",
      "user: The vicar, Canon Prewett, always runs late.",
    ],
    [
      "The parish council is on the first Monday of every month || The parish council meets on the first Monday of every month || The parish council is on the first Monday of every month at half past seven in the old schoolhouse",
      "The user has been its secretary since 1998 || The user has been the parish council's secretary since 1998 || The user has been secretary of the parish council since 1998",
      "The vicar, Canon Prewett, always runs late || The vicar always runs late || Canon Prewett always runs late",
    ],
  ),
  summer(
    [
      "user: The heating engineer comes on Monday between eight and ten.",
      "assistant: Noted.",
      "user: The spare key is with Mrs. Nakagawa on the second floor. Our boiler is a Vokera from 2011.",
      "user: I hope it isn't the pump again.",
    ],
    [
      "The heating engineer comes on 2026-07-20 between eight and ten || The user's heating engineer comes on 2026-07-20 between eight and ten",
      "The spare key is with Mrs. Nakagawa on the second floor || The user's spare key is with Mrs. Nakagawa on the second floor",
      ours("boiler is a Vokera from 2011"),
    ],
  ),
  spring(
    [
      "user: Trying to grow figs on a balcony in Ostrava, any hope?",
      "assistant: Yes, if it faces south. Does it?",
      "user: It faces west. I've also got chillies and a lemon tree that won't flower.",
      "user: I only water on Sundays because I travel for work.",
    ],
    [
      "The user's balcony faces west || The balcony faces west",
      "The user is trying to grow figs on a balcony in Ostrava || The user is growing figs on a balcony in Ostrava",
      "The user has chillies and a lemon tree || The user has got chillies and a lemon tree that will not flower || The user has chillies and a lemon tree that will not flower || The user has also got chillies and a lemon tree that will not flower",
      "The user only waters on Sundays || The user only waters on Sundays because the user travels for work || The user only waters on Sundays because they travel for work",
    ],
  ),
];
