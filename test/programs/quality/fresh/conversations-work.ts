import type { LabelledConversation } from "../conversations.ts";
import { autumn, named, typed, winter } from "../label.ts";

/** Support tickets, work chats, developers, small businesses. */
export const WORK: readonly LabelledConversation[] = [
  autumn(
    [
      "user: Hello, order 58213 arrived with a cracked lid. I'd like a replacement rather than a refund.",
      "assistant: I'm sorry about that. Where should we send it?",
      "user: To my office: 14 Quayside Lane, Bristol. Someone's at reception until 5pm.",
      "user: This is the second time, by the way. Pretty annoying.",
    ],
    [
      "Order 58213 arrived with a cracked lid || The user's order 58213 arrived with a cracked lid",
      "The user would like a replacement rather than a refund || The user wants a replacement rather than a refund || The user prefers a replacement to a refund",
      "The user's office is at 14 Quayside Lane, Bristol || The user's office address is 14 Quayside Lane, Bristol || The user's office is 14 Quayside Lane, Bristol",
      "Someone is at reception until 5pm || The user's office reception is open until 5pm || The reception is staffed until 5pm",
    ],
  ),
  autumn(
    [
      "user: Ticket from yesterday is still open. We can't log in since the update.",
      "assistant: Which version are you running?",
      "user: 7.2.1 on Windows Server 2022. We have 40 seats on the Business plan.",
      "user: Our admin is Thandiwe, reach her at thandiwe@northpier.example. She doesn't work on Fridays.",
    ],
    [
      "The user can not log in since the update",
      "The user is running 7.2.1 on Windows Server 2022 || The user is running version 7.2.1 on Windows Server 2022 || The user runs version 7.2.1 on Windows Server 2022",
      "The user has 40 seats on the Business plan",
      "The user's admin is Thandiwe || The user's admin's name is Thandiwe",
      "Thandiwe's email is thandiwe@northpier.example || The user's admin's email is thandiwe@northpier.example || The user's admin can be reached at thandiwe@northpier.example",
      "The user's admin does not work on Fridays || Thandiwe does not work on Fridays || The user's admin Thandiwe does not work on Fridays",
    ],
  ),
  winter([
    "user: hi how do i reset my password",
    "assistant: Use the link on the sign-in page.",
    "user: it says the link expired??",
    "assistant: Please request a new one.",
    "user: ok worked, cheers",
  ]),
  winter([
    "user: Where can I download my invoice?",
    "assistant: Under Billing, then Documents.",
    "user: Found it. Have a nice day!",
  ]),
  winter(
    [
      "user: Please cancel my gym membership. The account number is GX-90417.",
      "assistant: May I ask why you're leaving?",
      "user: I'm moving to Galway at the end of March, there's no branch there.",
      "user: And please stop sending me text messages, I only read email.",
    ],
    [
      "The user's account number is GX-90417 || The account number is GX-90417 || The user's gym account number is GX-90417",
      "The user is moving to Galway at the end of March || The user is moving to Galway at the end of 2027-03 || The user moves to Galway at the end of March",
      "The user only reads email",
    ],
  ),
  autumn(
    [
      "user: morning all. quick update: the pilot with Halvorsen Foods starts on November 2",
      "assistant: Noted. Who owns it?",
      "user: Ebba owns it, Rashid does the integrations.",
      "user: we agreed to drop the mobile app from scope",
    ],
    [
      "The pilot with Halvorsen Foods starts on November 2 || The user's pilot with Halvorsen Foods starts on November 2 || The pilot with Halvorsen Foods starts on 2026-11-02",
      "Ebba owns the pilot with Halvorsen Foods || Ebba owns the pilot || Ebba owns the Halvorsen Foods pilot",
      "Rashid does the integrations",
      "The user agreed to drop the mobile app from scope || The team agreed to drop the mobile app from scope",
    ],
  ),
  autumn(
    [
      "user: Notes from the steering group: the price goes up to 29 francs in January.",
      "assistant: For existing customers too?",
      "user: No, existing customers keep 24 francs. Hiring is frozen until April.",
      "user: Also our Warsaw office will close, and Jolanta now reports to Benedikt.",
    ],
    [
      "The price goes up to 29 francs in January || The price goes up to 29 francs in 2027-01 || The user's price goes up to 29 francs in January",
      "Existing customers keep 24 francs",
      "Hiring is frozen until April",
      "The user's Warsaw office will close || The Warsaw office will close",
      "Jolanta now reports to Benedikt || Jolanta reports to Benedikt",
    ],
  ),
  winter(
    [
      "user: Can you draft the weekly update?",
      "assistant: Sure, what should it say?",
      "user: The migration finished last Friday. The audit is on February 16, and Ngozi is leading it.",
      "user: Please keep updates under 150 words, our director hates long emails.",
    ],
    [
      "The migration finished on 2027-01-29 || The user's migration finished on 2027-01-29",
      "The audit is on February 16 || The audit is on 2027-02-16 || The user's audit is on February 16",
      "Ngozi is leading the audit || Ngozi leads the audit",
      "The user's director hates long emails || The director hates long emails",
      "The user wants updates under 150 words || The user wants weekly updates under 150 words || The user prefers updates under 150 words || The user wants updates kept under 150 words || Keep updates under 150 words || Please keep updates under 150 words",
    ],
  ),
  winter([
    "user: did anyone see my charger in the blue room?",
    "assistant: I can't see your office, sorry!",
    "user: right lol wrong chat",
  ]),
  winter(
    [
      "user: The offsite got moved from Bruges to Antwerp.",
      "assistant: Same dates?",
      "user: Yes, March 18 and 19. I'm in charge of the agenda, Pascal books the rooms.",
      "user: Could be fun. Could also be awful, haha.",
    ],
    [
      "The offsite got moved from Bruges to Antwerp || The offsite moved from Bruges to Antwerp || The offsite was moved from Bruges to Antwerp",
      "The offsite is on March 18 and 19",
      "The user is in charge of the agenda || The user is in charge of the offsite agenda || The user is in charge of the agenda of the offsite",
      "Pascal books the rooms || Pascal books the rooms for the offsite",
    ],
  ),
  autumn(
    [
      "user: I'm Hyun-woo, the new backend lead at Pinecrest Labs.",
      "assistant: Welcome! What's your stack?",
      "user: Our services are written in Kotlin and we keep everything in a monorepo.",
      "user: We never deploy after 4pm. Tabs, not spaces, please.",
    ],
    named("Hyun-woo", [
      "The user is the new backend lead at Pinecrest Labs || The user is the backend lead at Pinecrest Labs",
      "The user's services are written in Kotlin",
      "The user keeps everything in a monorepo",
      "The user never deploys after 4pm",
      "The user prefers tabs, not spaces || The user prefers tabs to spaces || The user wants tabs, not spaces || The user prefers tabs over spaces",
    ]),
  ),
  autumn(
    [
      "user: why does this fail? `const port = process.env.PORT ?? 3000`",
      "assistant: What's the error?",
      "user: SyntaxError: Unexpected token '?'",
      "assistant: Your Node version is too old for that operator.",
      "user: ahh yes, i'm still on node 12 on this machine. can't upgrade, it's a client's server",
    ],
    [
      "The user is still on node 12 on this machine || The user is on node 12 on this machine || The user is still on Node 12 on a client's server || The user's machine is still on Node 12",
      "The user can not upgrade because it is a client's server || The user can not upgrade, it's a client's server || The user can not upgrade Node because it is a client's server",
    ],
  ),
  winter(
    [
      "user: Remember for this repo: run `make lint` before every commit and don't touch the generated folder.",
      "assistant: Understood.",
      "user: The main branch is called trunk. Releases are tagged by Oluwaseun every other Monday.",
      "user: Now fix the failing test please.",
    ],
    [
      "The main branch is called trunk || The user's main branch is called trunk || The repo's main branch is called trunk",
      "Releases are tagged by Oluwaseun every other Monday || Oluwaseun tags releases every other Monday || The user's releases are tagged by Oluwaseun every other Monday",
      "Run make lint before every commit || The user wants make lint run before every commit || The user wants make lint to be run before every commit",
      "The user does not want the generated folder touched || Do not touch the generated folder || The user wants the generated folder not touched",
    ],
  ),
  winter([
    "user: Here's the log:\n[08:01] worker started\n[08:02] my name is worker-3 and I live on host-7\n[08:03] out of memory",
    "assistant: The process was killed by the kernel.",
    "user: How do I find out which one?",
  ]),
  winter(
    [
      "user: We've decided to go with SQLite instead of MySQL for the desktop client.",
      "assistant: Reasonable. Any reason to note?",
      "user: It needs no server. If we ever need sync we might look at something else.",
      "user: The client has to run on 4 GB of RAM.",
    ],
    [
      "The user decided to go with SQLite instead of MySQL for the desktop client || The user has decided to go with SQLite instead of MySQL for the desktop client || The user has decided to use SQLite instead of MySQL for the desktop client",
      "The client has to run on 4 GB of RAM || The desktop client has to run on 4 GB of RAM || The user's client has to run on 4 GB of RAM",
    ],
  ),
  autumn([
    "user: write a regex that matches ISO dates",
    "assistant: ^\\d{4}-\\d{2}-\\d{2}$",
    "user: does that also match 2026-99-99",
    "assistant: Yes, it only checks the shape.",
    "user: hmm ok good enough",
  ]),
  autumn(
    [
      "user: I run a small flower shop in Leuven with two employees, Fenna and Joris.",
      "assistant: How can I help the shop today?",
      "user: I need a new price list. Bouquets start at 18 euros, delivery is free within the ring road.",
      "user: We're closed on Mondays. My supplier in Aalsmeer delivers on Tuesday and Friday mornings.",
    ],
    [
      "The user runs a small flower shop in Leuven || The user runs a small flower shop in Leuven with two employees, Fenna and Joris",
      "The user has two employees, Fenna and Joris || The user's employees are Fenna and Joris || The user's flower shop has two employees, Fenna and Joris",
      "Bouquets start at 18 euros || The user's bouquets start at 18 euros",
      "Delivery is free within the ring road || The user's delivery is free within the ring road",
      "The user is closed on Mondays || The user's shop is closed on Mondays || The shop is closed on Mondays || The user's flower shop is closed on Mondays || The flower shop is closed on Mondays",
      "The user's supplier in Aalsmeer delivers on Tuesday and Friday mornings",
    ],
  ),
  autumn(
    [
      "user: business was slow again. rent went up to 1900 a month too",
      "assistant: That's tough. Any plans?",
      "user: im gonna open on sundays from november. my accountant beatriz says i should raise prices but i wont",
      "user: who even buys soap in summer lol",
    ],
    typed([
      "The user's rent went up to 1900 a month || The rent went up to 1900 a month || The user's rent is 1900 a month",
      "The user is going to open on Sundays from November || The user will open on Sundays from November || The user is going to open on Sundays from 2026-11",
      "The user's accountant Beatriz says the user should raise prices || The user's accountant is Beatriz || The user's accountant's name is Beatriz",
      "The user will not raise prices",
    ]),
  ),
  winter(
    [
      "user: My name's Ignacio, I've been a carpenter for twenty years and I have my own workshop in Girona.",
      "assistant: Good to meet you, Ignacio.",
      "user: I only take cash or bank transfer. For quotes I charge 60 euros an hour.",
      "user: My apprentice Nuria starts next week. I'd like to buy a bigger saw one day.",
    ],
    named("Ignacio", [
      "The user has been a carpenter for twenty years",
      "The user has their own workshop in Girona || The user has his own workshop in Girona || The user has a workshop in Girona || The user has own workshop in Girona",
      "The user only takes cash or bank transfer",
      "The user charges 60 euros an hour || The user charges 60 euros an hour for quotes",
      "The user's apprentice Nuria starts in the week of 2027-02-08",
      "The user would like to buy a bigger saw one day || The user wants to buy a bigger saw one day",
    ]),
  ),
  winter(
    [
      "user: We've renamed the café: it's Little Otter now, it used to be Corner Bean.",
      "assistant: Lovely name! Shall I update the menu?",
      "user: Yes. We also stopped serving breakfast. Our oat milk comes from Barrow Farm.",
      "user: What do you think of the logo? My wife drew it.",
    ],
    [
      "The user renamed the café to Little Otter || The user's café is called Little Otter || The user's café is Little Otter now || The user has renamed the café: it is Little Otter now || The café is Little Otter now || The café is called Little Otter",
      "The café used to be Corner Bean || The user's café used to be Corner Bean || The user's café used to be called Corner Bean || The café used to be called Corner Bean",
      "The user stopped serving breakfast || The café stopped serving breakfast || The user also stopped serving breakfast",
      "The user's oat milk comes from Barrow Farm || The café's oat milk comes from Barrow Farm",
      "The user's wife drew the logo || The user's wife drew the café's logo",
    ],
  ),
  winter(
    [
      "user: FYI I'm on leave from February 8 to 19, Hedda covers for me.",
      "assistant: Enjoy! Anything to watch meanwhile?",
      "user: The Contoso contract expires on February 28. Don't renew it without asking Gustavo.",
    ],
    [
      "The user is on leave from February 8 to 19 || The user is on leave from 2027-02-08 to 2027-02-19",
      "Hedda covers for the user || Hedda covers for the user from February 8 to 19 || Hedda covers for the user from 2027-02-08 to 2027-02-19",
      "The Contoso contract expires on February 28 || The Contoso contract expires on 2027-02-28 || The user's Contoso contract expires on February 28",
    ],
  ),
  autumn(
    [
      "user: I joined the procurement team at Vestergaard two weeks ago, before that I was in sales.",
      "assistant: How is the new role?",
      "user: Love it. I sit in the Aarhus office three days a week and work from home the rest.",
      "user: Between us, the coffee is terrible.",
    ],
    [
      "The user joined the procurement team at Vestergaard in the week of 2026-09-28 || The user joined the procurement team at Vestergaard on 2026-10-01 || The user joined the procurement team at Vestergaard in 2026-10",
      "The user was in sales || The user used to be in sales || The user was in sales before || The user was in sales before that",
      "The user sits in the Aarhus office three days a week",
      "The user works from home the rest of the week || The user works from home the rest",
    ],
  ),
  autumn(
    [
      "user: Can you help me answer this review? 'I am a vegetarian and I live around the corner, and the staff forgot my order twice.'",
      "assistant: Of course. What tone would you like?",
      "user: Friendly but short. Sign it as Marguerite, I'm the owner.",
    ],
    [
      "The user's name is Marguerite || The user is Marguerite",
      "Marguerite is the owner || The user is the owner",
    ],
  ),
];
