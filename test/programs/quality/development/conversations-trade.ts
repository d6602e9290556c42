import type { LabelledConversation } from "../conversations.ts";
import { named, ours, relative, spring, summer, typed } from "../label.ts";

/** Small business owners, the self-employed, clubs. */
export const TRADE: readonly LabelledConversation[] = [
  spring(
    [
      "user: I'm Giorgos and I rent out kayaks in Parga, twelve boats at the moment.",
      "assistant: Sounds wonderful. How can I help?",
      "user: I need a booking text. A half day costs 25 euros, kids under ten go free.",
      "user: We open on May 1 and we don't rent when the wind is above five.",
    ],
    named("Giorgos", [
      "The user rents out kayaks in Parga || The user rents out kayaks in Parga, twelve boats at the moment",
      "A half day costs 25 euros || The user's half day costs 25 euros",
      "Kids under ten go free",
      "The user opens on May 1 || The user opens on 2026-05-01",
      "The user does not rent when the wind is above five",
    ]),
  ),
  summer(
    [
      "user: hey can u do my invoice template again. company name changed to brightwell framing ltd",
      "assistant: Sure. Anything else that changed?",
      "user: vat number is GB 318 2270 54. payment terms 14 days now used to be 30",
      "user: and the bank is monzo",
    ],
    typed([
      "The user's company name changed to Brightwell Framing Ltd || The company name changed to Brightwell Framing Ltd || The user's company name is Brightwell Framing Ltd || The user's company is called Brightwell Framing Ltd",
      "The user's VAT number is GB 318 2270 54 || The VAT number is GB 318 2270 54 || The user's vat number is GB 318 2270 54 || Vat number is GB 318 2270 54",
      "The user's payment terms are 14 days || Payment terms are 14 days || The payment terms are 14 days",
      "The user's bank is Monzo || The bank is Monzo",
    ]),
  ),
  spring(
    [
      "user: We cook for two hotels and a nursery, and rice just went up by 12 percent.",
      "assistant: Do you want to raise prices?",
      "user: Only for the hotels. The nursery contract runs until July and I won't touch it.",
      "user: My business partner Salome does the books, ask her about margins. Well, you can't, haha.",
    ],
    [
      "The user cooks for two hotels and a nursery",
      "Rice went up by 12 percent || Rice just went up by 12 percent",
      "The nursery contract runs until July || The user's nursery contract runs until July || The nursery contract runs until 2026-07",
      "The user's business partner Salome does the books || The user's business partner does the books || Salome does the books",
    ],
  ),
  summer(
    [
      "user: I've hired a new groomer for the dog salon, her name is Keziah and she starts on Monday.",
      "assistant: Great news. Does she need a schedule?",
      "user: Yes: she works Monday to Thursday. Friday is for big breeds and I do those myself.",
      "user: We don't take cats any more, not after last time.",
    ],
    [
      "The user's new groomer is Keziah || The user's new groomer's name is Keziah || The user has hired a new groomer for the dog salon || The user hired a new groomer for the dog salon",
      "Keziah starts on 2026-07-20 || The user's new groomer starts on 2026-07-20 || The user's new groomer Keziah starts on 2026-07-20 || The new groomer starts on 2026-07-20",
      "Keziah works Monday to Thursday || The user's new groomer works Monday to Thursday || The new groomer works Monday to Thursday",
      "Friday is for big breeds",
      "The user does not take cats any more || The user does not take cats anymore",
    ],
  ),
  spring([
    "user: Give me five names for a bike repair shop.",
    "assistant: Spoke Easy, Chain Reaction, Wheel Good...",
    "user: Haha, no. More serious.",
    "assistant: Northgate Cycles, Fairwheel.",
    "user: Imagine calling it Flat Broke. Anyway, I'll think about it.",
  ]),
  summer(
    [
      "user: my landlord wants to sell the building my studio is in",
      "assistant: That's worrying. When?",
      "user: probably october. i teach yoga there 5 evenings a week, 22 members",
      "user: my sister wants me to move online but i hate filming myself",
    ],
    typed([
      "The user's landlord wants to sell the building the user's studio is in || The user's landlord wants to sell the building || The user's landlord wants to sell the building their studio is in",
      "The user teaches yoga there 5 evenings a week || The user teaches yoga 5 evenings a week || The user teaches yoga 5 evenings a week, 22 members || The user teaches yoga there 5 evenings a week, 22 members",
      "The user's sister wants the user to move online",
      "The user hates filming themselves || The user hates filming themself || The user hates filming the user",
    ]),
  ),
  spring(
    [
      "user: A customer wrote: 'I'm gluten free and my office in Delft orders weekly.' How do I answer?",
      "assistant: Offer them a sample box.",
      "user: Good idea. For the record, our sample box costs 9 euros and we only deliver by bike.",
    ],
    [ours("sample box costs 9 euros"), "The user only delivers by bike"],
  ),
  summer(
    [
      "user: I've run a driving school in Plovdiv since 2012, with four instructors and six cars.",
      "assistant: Impressive. What's today's job?",
      "user: A letter to parents. Lessons go from 45 to 60 minutes on September 1.",
      "user: Mention that Instructor Todorov retires. And no emojis in anything official, ever.",
    ],
    [
      "The user has run a driving school in Plovdiv since 2012 || The user has run a driving school in Plovdiv since 2012, with four instructors and six cars || The user has run a driving school in Plovdiv since 2012 with four instructors and six cars",
      "Lessons go from 45 to 60 minutes on September 1 || The user's lessons go from 45 to 60 minutes on September 1 || Lessons go from 45 to 60 minutes on 2026-09-01",
      "Instructor Todorov retires || Todorov retires || Instructor Todorov is retiring",
      "The user wants no emojis in anything official || The user never wants emojis in anything official || The user does not want emojis in anything official",
    ],
  ),
  spring(
    [
      "user: quick one. i sell vintage lamps on etsy n ship from turku",
      "assistant: Nice! What's up?",
      "user: shipping to the us is paused until further notice, how do i phrase that",
      "user: i pack orders on sundays btw so dont promise anything faster",
    ],
    typed([
      "The user sells vintage lamps on Etsy",
      "The user ships from Turku",
      "Shipping to the US is paused until further notice || The user's shipping to the US is paused until further notice",
      "The user packs orders on Sundays",
    ]),
  ),
  summer(
    [
      "user: The bridge club meets on Wednesdays at seven in the back room of the Anchor.",
      "assistant: How many members?",
      "user: Thirty-one. Dues are 40 pounds a year, students pay half. I'm the captain.",
      "user: We play Ludlow next; they beat us every single time.",
    ],
    [
      "The bridge club meets on Wednesdays at seven in the back room of the Anchor || The user's bridge club meets on Wednesdays at seven in the back room of the Anchor",
      "Dues are 40 pounds a year || The dues are 40 pounds a year || The bridge club's dues are 40 pounds a year",
      "Students pay half",
      "The user plays Ludlow next || The bridge club plays Ludlow next || The user's bridge club plays Ludlow next",
      "The user is the captain || The user is the captain of the bridge club || The user is the bridge club's captain",
    ],
  ),
  spring([
    "user: Could you check whether 'Havenly & Sons' is spelled right?",
    "assistant: It looks fine as a name.",
    "user: Thanks. And what time is it over in Denver?",
    "assistant: I don't have a clock, sorry.",
  ]),
  spring(
    [
      "user: Our van failed its inspection last Friday, so there are no deliveries until the 28th.",
      "assistant: Shall I tell customers?",
      "user: Yes, all of them but the school. The school picks up itself.",
      "user: We're insured with Helvetia; the policy is HV-55120.",
    ],
    [
      "The user's van failed its inspection on 2026-04-17",
      "There are no deliveries until the 28th || There are no deliveries until April 28 || There are no deliveries until 2026-04-28 || The user has no deliveries until the 28th || The user has no deliveries until 2026-04-28",
      "The school picks up itself",
      "The user is insured with Helvetia",
      "The policy is HV-55120 || The user's policy is HV-55120 || The user's policy number is HV-55120 || The Helvetia policy is HV-55120",
    ],
  ),
  summer(
    [
      "user: I'm an interpreter, Farsi and Norwegian, mostly at the hospital in Bodø.",
      "assistant: Fascinating work.",
      "user: I charge per hour, never per word. My calendar is full until the 9th of August.",
      "user: If they ask for a discount, what would you say?",
    ],
    [
      "The user is an interpreter, Farsi and Norwegian || The user is an interpreter for Farsi and Norwegian || The user is an interpreter, Farsi and Norwegian, mostly at the hospital in Bodø",
      "The user charges per hour, never per word",
      "The user's calendar is full until the 9th of August || The user's calendar is full until August 9 || The user's calendar is full until 2026-08-09",
    ],
  ),
  spring(
    [
      "user: My brother-in-law Ruairi and I restore pianos. He does the frames, I do the actions.",
      "assistant: What a craft!",
      "user: We've got a Bechstein from 1898 in at the moment and the owner wants it by Whitsun.",
      "user: I'm left-handed, so half of the tools are mine alone.",
    ],
    [
      "The user and their brother-in-law Ruairi restore pianos || The user's brother-in-law Ruairi and the user restore pianos || The user restores pianos || The user restores pianos with their brother-in-law Ruairi",
      relative("brother-in-law", "Ruairi", "does the frames"),
      "The user does the actions",
      "The user is left-handed",
    ],
  ),
  summer(
    [
      "user: I'm not a smoker, by the way, that was my sister. I just don't like eggs.",
      "assistant: Thanks for the correction.",
      "user: And I never said I live in Bremen. I only study there, I live in Oldenburg.",
    ],
    [
      "The user is not a smoker || The user does not smoke",
      "The user's sister is a smoker || The user's sister smokes || The user's sister was a smoker",
      "The user does not like eggs || The user just does not like eggs",
      "The user lives in Oldenburg",
      "The user studies in Bremen || The user only studies in Bremen",
    ],
  ),
  summer(
    [
      "user: hi im dagny, i coach the junior handball girls",
      "assistant: Hi Dagny!",
      "user: practise moved from tuesday to thursday cause the gym is being painted",
      "user: need a msg for the parents. keep it short, most of them dont speak norwegian so english plz",
    ],
    typed(
      named("Dagny", [
        "The user coaches the junior handball girls",
        "Practise moved from Tuesday to Thursday || The practise moved from Tuesday to Thursday || The user's practise moved from Tuesday to Thursday || Practice moved from Tuesday to Thursday",
        "The gym is being painted",
        "Most of the parents do not speak Norwegian || Most of them do not speak Norwegian",
      ]),
    ),
  ),
  spring(
    [
      "user: I make cider as a sideline, nine barrels behind the old mill.",
      "assistant: How was the season?",
      "user: I lost two barrels in a flood. I sell the cider at the market in Cahors, 8 euros a bottle.",
      "user: My daughter designs the labels. Isn't that nice?",
    ],
    [
      "The user makes cider as a sideline || The user makes cider as a sideline, nine barrels behind the old mill",
      "The user lost two barrels || The user lost two barrels in a flood",
      "The user sells the cider at the market in Cahors, 8 euros a bottle || The user sells the cider at the market in Cahors || The user sells cider at the market in Cahors",
      "The user's daughter designs the labels || The user's daughter designs the cider labels",
    ],
  ),
];
