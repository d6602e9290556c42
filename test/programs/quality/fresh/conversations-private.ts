import type { LabelledConversation } from "../conversations.ts";
import { autumn, named, typed, winter } from "../label.ts";

/** Friends, letters of the old, coaching, travellers. */
export const PRIVATE: readonly LabelledConversation[] = [
  autumn(
    [
      "user: heyy its bronwyn",
      "assistant: Hi Bronwyn! What's up?",
      "user: omg so much lol. im studying marine biology in cardiff now",
      "user: n my flatmate tegan is vegan so no sharing my chicken curry haha",
      "user: do u know any good revision apps??",
    ],
    typed(
      named("Bronwyn", [
        "The user is studying marine biology in Cardiff || The user studies marine biology in Cardiff",
        "The user's flatmate Tegan is vegan || The user's flatmate is vegan || Tegan is vegan",
      ]),
    ),
  ),
  autumn(
    [
      "user: ok so me n dario broke up",
      "assistant: I'm sorry. How are you holding up?",
      "user: meh. im staying at my cousins place in trieste til i find smth",
      "user: anyway can u help me write a text to get my bike back from him",
    ],
    typed([
      "The user and Dario broke up || The user broke up with Dario",
      "The user is staying at their cousin's place in Trieste || The user is staying at the user's cousin's place in Trieste until they find something || The user is staying at their cousins place in Trieste til they find something",
    ]),
  ),
  winter(
    [
      "user: cant make it to bowling on friday, got a shift at the bakery",
      "user: i work there tuesdays and fridays now",
      "assistant: That's a shame!",
      "user: ye. n i hate bowling anyways 😂",
    ],
    typed([
      "The user works at the bakery Tuesdays and Fridays || The user works at the bakery on Tuesdays and Fridays || The user works at a bakery on Tuesdays and Fridays now",
      "The user hates bowling || The user hates bowling anyways",
    ]),
  ),
  winter(
    [
      "user: guess whos got a puppyyyy",
      "assistant: You?!",
      "user: yesss we picked him up yesterday, hes a beagle and hes called waffles",
      "user: my mum is NOT impressed lmao",
    ],
    typed([
      "The user picked up a puppy on 2027-01-31 || The user got a puppy on 2027-01-31 || The user has a puppy",
      "The user's puppy is a beagle || The user has a beagle",
      "The user's puppy is called Waffles || The user's puppy's name is Waffles || The user's beagle is called Waffles",
    ]),
  ),
  autumn([
    "user: yo",
    "assistant: Hey there!",
    "user: lol nvm i found it",
    "user: it was in my pocket the whole time 🤦",
  ]),
  autumn([
    "user: if i won the lottery id buy a castle in scotland and never work again",
    "assistant: A fine plan.",
    "user: wouldnt you",
    "user: hahaha ok back to work",
  ]),
  winter([
    "user: What's a good rhyme for orange?",
    "assistant: Door hinge, if you say it quickly.",
    "user: That's terrible. I love it.",
  ]),
  autumn(
    [
      "user: Dear assistant, I hope this finds you well. My name is Wilhelmina and I shall be eighty-three in December.",
      "assistant: How lovely to hear from you, Wilhelmina.",
      "user: I have lived in the same cottage in Whitby since 1971. My late husband Alasdair built the greenhouse himself.",
      "user: My granddaughter Philippa set up this machine for me. She is a veterinary surgeon in Truro.",
      "user: Would you be so kind as to tell me how one makes the letters larger?",
    ],
    named("Wilhelmina", [
      "The user will be eighty-three in December || The user shall be eighty-three in December || The user turns eighty-three in December",
      "The user has lived in the same cottage in Whitby since 1971",
      "The user's late husband Alasdair built the greenhouse himself || The user's late husband Alasdair built the greenhouse || Alasdair built the greenhouse himself || The user's husband Alasdair built the greenhouse",
      "The user's granddaughter Philippa is a veterinary surgeon in Truro || The user's granddaughter is a veterinary surgeon in Truro || Philippa is a veterinary surgeon in Truro",
      "The user's granddaughter Philippa set up this machine || The user's granddaughter's name is Philippa || The user's granddaughter Philippa set up this machine for the user",
    ]),
  ),
  autumn(
    [
      "user: I do not care for telephone banking and prefer to receive everything by post.",
      "assistant: Understood. Shall I draft the letter?",
      "user: Yes please. You may sign it Mrs. E. Hathersage. My neighbour, Mr. Oduya, collects my pension on Thursdays.",
    ],
    [
      "The user does not care for telephone banking",
      "The user prefers to receive everything by post || The user prefers receiving everything by post",
      "The user's neighbour Mr. Oduya collects the user's pension on Thursdays || The user's neighbour, Mr. Oduya, collects their pension on Thursdays || Mr. Oduya collects the user's pension on Thursdays",
      "The user's name is Mrs. E. Hathersage || The user signs as Mrs. E. Hathersage || The user is Mrs. E. Hathersage",
    ],
  ),
  winter(
    [
      "user: Forgive my slow typing. My brother Cuthbert used to keep bees, but he sold the hives last year.",
      "assistant: Take all the time you need.",
      "user: He gave me his old typewriter. I write to him every Sunday after church.",
      "user: Is it cold where you are?",
    ],
    [
      "The user's brother Cuthbert used to keep bees || The user's brother used to keep bees || Cuthbert used to keep bees",
      "The user's brother Cuthbert sold the hives in 2026 || The user's brother sold the hives in 2026 || Cuthbert sold the hives in 2026",
      "The user's brother gave the user his old typewriter || The user's brother Cuthbert gave the user his old typewriter || Cuthbert gave the user his old typewriter",
      "The user writes to their brother every Sunday after church || The user writes to their brother Cuthbert every Sunday after church || The user writes to the user's brother every Sunday after church || The user writes to Cuthbert every Sunday after church",
    ],
  ),
  winter(
    [
      "user: I'd like to work on saying no more often.",
      "assistant: What makes it hard?",
      "user: I grew up with four older sisters, and I was always the one who kept the peace.",
      "assistant: That sounds familiar to many people.",
      "user: My father never praised anyone. I want to be different with my own kids.",
      "user: I don't know. Does that even make sense?",
    ],
    [
      "The user would like to work on saying no more often || The user wants to work on saying no more often || The user would like to say no more often",
      "The user grew up with four older sisters",
      "The user was always the one who kept the peace || The user always kept the peace",
      "The user's father never praised anyone",
      "The user wants to be different with their own kids || The user wants to be different with the user's own kids",
    ],
  ),
  winter(
    [
      "user: This week was better. I told my boss that I won't take calls after seven.",
      "assistant: How did she react?",
      "user: She shrugged, honestly. I've also started journaling before bed.",
      "assistant: Anything you want to focus on next?",
      "user: My goal for this year is to apply for the team lead position. What do you think?",
    ],
    [
      "The user told their boss that they will not take calls after seven || The user does not take calls after seven || The user will not take calls after seven || The user told the user's boss that the user will not take calls after seven",
      "The user has started journaling before bed || The user started journaling before bed || The user journals before bed",
      "The user's goal for this year is to apply for the team lead position || The user's goal for 2027 is to apply for the team lead position || The user wants to apply for the team lead position in 2027",
    ],
  ),
  autumn([
    "user: I feel a bit flat today, not sure why.",
    "assistant: Would you like to talk about it?",
    "user: Maybe later. Let's just do the breathing thing.",
    "assistant: Of course. Breathe in...",
  ]),
  autumn(
    [
      "user: We're flying from Reykjavik to Lima on November 9 and coming back on the 27th.",
      "assistant: Exciting! Who's travelling?",
      "user: My partner Sunniva, our son Elias and me. Elias is nine and he's scared of flying.",
      "user: We'd rather have aisle seats. Is the altitude in Cusco a problem?",
    ],
    [
      "The user is flying from Reykjavik to Lima on November 9 || The user flies from Reykjavik to Lima on November 9 || The user is flying from Reykjavik to Lima on 2026-11-09 || The user flies from Reykjavik to Lima on 2026-11-09",
      "The user is coming back on the 27th || The user is coming back on November 27 || The user is coming back on 2026-11-27 || The user is coming back from Lima on 2026-11-27 || The user is coming back from Lima on November 27",
      "The user's partner is Sunniva || The user's partner's name is Sunniva || The user is travelling with their partner Sunniva and their son Elias",
      "The user's son Elias is nine || The user's son is nine || Elias is nine",
      "The user's son Elias is scared of flying || The user's son is scared of flying || Elias is scared of flying",
      "The user would rather have aisle seats || The user prefers aisle seats",
    ],
  ),
  autumn(
    [
      "user: Need help with a road trip. I rented a camper van from Hobart for ten days starting next Tuesday.",
      "assistant: Great choice. Any constraints?",
      "user: I don't drive at night, and I want to keep it under 200 km a day.",
      "user: Oh and my friend Yuto joins me in Launceston.",
    ],
    [
      "The user rented a camper van from Hobart for ten days starting 2026-10-20 || The user rented a camper van from Hobart for ten days starting on 2026-10-20",
      "The user does not drive at night",
      "The user wants to keep it under 200 km a day || The user wants to drive under 200 km a day || The user wants to keep the road trip under 200 km a day",
      "The user's friend Yuto joins the user in Launceston || The user's friend Yuto joins them in Launceston || Yuto joins the user in Launceston",
    ],
  ),
  winter([
    "user: Which is cheaper in March, Malta or Madeira?",
    "assistant: Usually Malta.",
    "user: And how long is the flight from Vienna?",
    "assistant: A bit over two hours.",
    "user: Hmm, I might go. Or not. Let me think about it.",
  ]),
  winter(
    [
      "user: The hotel in Kyoto is booked: Hotel Shirakawa, April 3 to April 8.",
      "assistant: Shall I add it to your itinerary?",
      "user: Yes. I travel with carry-on only, and I always take the train instead of a taxi.",
      "user: My sister Annika might come along, she hasn't decided.",
    ],
    [
      "The hotel in Kyoto is booked: Hotel Shirakawa, April 3 to April 8 || The user booked Hotel Shirakawa in Kyoto from April 3 to April 8 || The user's hotel in Kyoto is Hotel Shirakawa, April 3 to April 8 || The hotel in Kyoto is Hotel Shirakawa, April 3 to April 8",
      "The user travels with carry-on only",
      "The user always takes the train instead of a taxi",
    ],
  ),
];
