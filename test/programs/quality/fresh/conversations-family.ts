import type { LabelledConversation } from "../conversations.ts";
import { autumn, named, typed, winter } from "../label.ts";

/** Parents, students, households, hobbies. */
export const FAMILY: readonly LabelledConversation[] = [
  autumn(
    [
      "user: My twins Saoirse and Cormac started kindergarten in September.",
      "assistant: How are they settling in?",
      "user: Saoirse cries every morning but Cormac loves it. Their teacher is called Mrs. Lindqvist.",
      "user: Pickup is at 2:45 on weekdays. Any tips for the crying?",
    ],
    [
      "The user's twins Saoirse and Cormac started kindergarten in September || The user's twins Saoirse and Cormac started kindergarten in 2026-09",
      "The user's twins' teacher is called Mrs. Lindqvist || The user's twins' teacher is Mrs. Lindqvist || The twins' teacher is called Mrs. Lindqvist || Saoirse and Cormac's teacher is called Mrs. Lindqvist",
      "Saoirse cries every morning || The user's twin Saoirse cries every morning || The user's daughter Saoirse cries every morning",
      "Cormac loves kindergarten || The user's twin Cormac loves kindergarten || The user's son Cormac loves kindergarten",
      "Pickup is at 2:45 on weekdays || The user's pickup is at 2:45 on weekdays || Kindergarten pickup is at 2:45 on weekdays",
    ],
  ),
  autumn(
    [
      "user: our nanny quit 😩 starting monday my mother in law watches the baby",
      "assistant: That's a big change. What can I do?",
      "user: make me a list for her. baby naps at 11 and 3, he doesnt like bananas",
      "user: n he only falls asleep with his blue elephant",
    ],
    typed([
      "The user's nanny quit",
      "The user's mother in law watches the baby starting 2026-10-19 || The user's mother-in-law watches the baby from 2026-10-19 || The user's mother in law watches the baby starting on 2026-10-19",
      "The user's baby naps at 11 and 3 || The baby naps at 11 and 3",
      "The user's baby does not like bananas || The baby does not like bananas",
      "The user's baby only falls asleep with his blue elephant || The baby only falls asleep with his blue elephant",
    ]),
  ),
  winter(
    [
      "user: Parents' evening is on February 11 at 18:00, please remind me.",
      "assistant: Will do. For which child?",
      "user: For Ottilie, my eldest. She's in year 8 and wants to drop Latin.",
    ],
    [
      "Parents' evening is on February 11 at 18:00 || The parents' evening is on February 11 at 18:00 || Parents' evening is on 2027-02-11 at 18:00 || Parents' evening for Ottilie is on February 11 at 18:00",
      "Ottilie is the user's eldest || The user's eldest is Ottilie || The user's eldest child is Ottilie || The user's eldest child is called Ottilie",
      "Ottilie is in year 8 || The user's eldest is in year 8 || The user's eldest Ottilie is in year 8 || The user's eldest child is in year 8",
      "Ottilie wants to drop Latin || The user's eldest wants to drop Latin || The user's eldest Ottilie wants to drop Latin || The user's eldest child wants to drop Latin",
    ],
  ),
  autumn([
    "user: My kid asked why the sky is blue and I panicked.",
    "assistant: Light scatters; blue scatters most.",
    "user: Ha, perfect. Can you say it like a five-year-old would understand?",
    "assistant: The air throws the blue light around like a ball.",
    "user: Brilliant, thanks!",
  ]),
  autumn(
    [
      "user: hi, im writing my thesis about medieval trade in gdansk",
      "assistant: Interesting topic! When is it due?",
      "user: its due january 22. my supervisor is prof wieczorek",
      "user: i write best late at night tbh, like after 11pm",
      "user: wanna read my outline?",
    ],
    typed([
      "The user is writing their thesis about medieval trade in Gdansk || The user is writing a thesis about medieval trade in Gdansk || The user's thesis is about medieval trade in Gdansk",
      "The user's thesis is due January 22 || The user's thesis is due on January 22 || The user's thesis is due on 2027-01-22",
      "The user's supervisor is Prof Wieczorek",
      "The user writes best late at night || The user writes best late at night, after 11pm || The user writes best after 11pm",
    ]),
  ),
  winter(
    [
      "user: I switched my major from economics to linguistics.",
      "assistant: What made you switch?",
      "user: Statistics bored me to death. I'm minoring in Finnish too.",
      "user: My dorm is Maplewood Hall, and my roommate snores like a tractor.",
    ],
    [
      "The user switched their major from economics to linguistics || The user switched majors from economics to linguistics || The user switched the user's major from economics to linguistics",
      "The user is minoring in Finnish || The user minors in Finnish",
      "The user's dorm is Maplewood Hall || The user lives in Maplewood Hall",
      "The user's roommate snores || The user's roommate snores like a tractor",
    ],
  ),
  winter([
    "user: Proofread this please: 'My name is Gregor and I have lived in Salzburg for nine years. I own a small hotel.'",
    "assistant: It reads well; no errors.",
    "user: Great. It's for a grammar exercise, by the way.",
  ]),
  winter([
    "user: Explain photosynthesis in two sentences.",
    "assistant: Plants turn light, water and carbon dioxide into sugar. Oxygen is released.",
    "user: So plants eat light?",
    "assistant: In a way.",
    "user: wild",
  ]),
  autumn(
    [
      "user: I'm knitting a jumper for my nephew Ignatius. He turns two on the 3rd of November.",
      "assistant: What a thoughtful gift.",
      "user: I only use merino wool. Acrylic makes my hands itch.",
      "user: Could you work out how many balls of yarn I need?",
    ],
    [
      "The user is knitting a jumper for their nephew Ignatius || The user is knitting a jumper for the user's nephew Ignatius",
      "The user's nephew Ignatius turns two on the 3rd of November || The user's nephew turns two on the 3rd of November || Ignatius turns two on the 3rd of November || The user's nephew Ignatius turns two on November 3 || The user's nephew Ignatius turns two on 2026-11-03",
      "The user only uses merino wool",
      "Acrylic makes the user's hands itch",
    ],
  ),
  autumn(
    [
      "user: Sorry for the late reply, we were at the lake. We've decided: the wedding is on May 29 in Ljubljana.",
      "assistant: Congratulations! How many guests?",
      "user: About seventy. No speeches, my fiancé Matej can't bear them.",
      "user: The caterer wants 4,800 euros up front. Is that normal?",
    ],
    [
      "The user's wedding is on May 29 in Ljubljana || The wedding is on May 29 in Ljubljana || The wedding is on 2027-05-29 in Ljubljana || The user's wedding is on 2027-05-29 in Ljubljana",
      "The user's wedding has about seventy guests || The wedding has about seventy guests || The user's wedding will have about seventy guests || The wedding will have about seventy guests",
      "The user's fiancé Matej can not bear speeches || The user's fiancé can not bear speeches || Matej can not bear speeches",
      "The caterer wants 4,800 euros up front || The user's caterer wants 4,800 euros up front || The wedding caterer wants 4,800 euros up front",
    ],
  ),
  winter(
    [
      "user: My bike got stolen last Friday, a red Gazelle.",
      "assistant: I'm sorry! Did you report it?",
      "user: Yeah. I usually cycle to work, so now I take tram 12.",
      "user: ugh. people suck.",
    ],
    [
      "The user's bike was stolen on 2027-01-29 || The user's bike, a red Gazelle, was stolen on 2027-01-29 || The user's bike got stolen on 2027-01-29 || The user's red Gazelle was stolen on 2027-01-29 || The user's bike got stolen on 2027-01-29, a red Gazelle",
      "The user usually cycles to work",
      "The user takes tram 12 || The user takes tram 12 now || The user takes tram 12 to work",
    ],
  ),
  winter(
    [
      "user: For dinner ideas: I'm cooking for six, nobody eats mushrooms and my uncle keeps kosher.",
      "assistant: How about a roast chicken?",
      "user: Perfect. I've only got a gas stove, no oven.",
      "user: We always eat at eight.",
    ],
    [
      "The user's uncle keeps kosher",
      "The user has only got a gas stove, no oven || The user has only a gas stove and no oven || The user only has a gas stove, no oven",
      "The user always eats at eight || The user and their family always eat at eight",
    ],
  ),
  autumn(
    [
      "user: I've never been to Asia, but I've got a trip to Hanoi planned for the spring.",
      "assistant: Wonderful. What do you enjoy when you travel?",
      "user: Street food and old bookshops. I can't stand museums.",
      "user: I used to travel with a tour group; never again!",
    ],
    [
      "The user has never been to Asia",
      "The user has a trip to Hanoi planned for the spring || The user has planned a trip to Hanoi for the spring",
      "The user enjoys street food and old bookshops when travelling || The user enjoys street food and old bookshops || The user likes street food and old bookshops || The user enjoys Street food and old bookshops when the user travels",
      "The user can not stand museums || The user hates museums",
      "The user used to travel with a tour group",
    ],
  ),
  winter(
    [
      "user: Hi! I'm Roxana, I babysit for three families in Braga.",
      "assistant: Hi Roxana, what can I do for you?",
      "user: I need ideas for a rainy afternoon.",
      "assistant: How old are the kids?",
      "user: The Pereira girls are five and seven. They love puppets.",
      "assistant: Then a sock puppet theatre?",
      "user: Cute!! I only have until 4 though, today at least.",
      "user: I charge 12 euros an hour and I don't work on Sundays.",
    ],
    named("Roxana", [
      "The user babysits for three families in Braga",
      "The Pereira girls are five and seven",
      "The Pereira girls love puppets",
      "The user charges 12 euros an hour",
      "The user does not work on Sundays",
    ]),
  ),
  autumn([
    "user: What if I had been born in ancient Rome, what would my job be?",
    "assistant: Perhaps a baker.",
  ]),
  winter(
    [
      "user: My cousin Leopold is the one who's moving to Bath, not me. I'm staying put in Exeter.",
      "assistant: Thanks for clearing that up.",
    ],
    [
      "The user's cousin Leopold is moving to Bath || The user's cousin is moving to Bath || Leopold is moving to Bath || The user's cousin Leopold is the one who is moving to Bath, not the user",
      "The user is staying put in Exeter || The user is staying in Exeter || The user lives in Exeter",
    ],
  ),
];
