import type { LabelledConversation } from "../conversations.ts";
import { named, relative, spring, summer, typed } from "../label.ts";

/** Texting with friends, travel plans, coaching. */
export const CASUAL: readonly LabelledConversation[] = [
  spring(
    [
      "user: hiii its zuri again",
      "assistant: Hello Zuri! How was the move?",
      "user: exhausting lol but im finally in malmö",
      "user: i started at the aquarium on monday, im the seal trainer 🦭",
      "user: dont tell anyone but im kinda scared of seals",
    ],
    typed(
      named("Zuri", [
        "The user moved to Malmö || The user is in Malmö || The user is finally in Malmö || The user lives in Malmö",
        "The user started at the aquarium on 2026-04-20",
        "The user is the seal trainer || The user is a seal trainer",
        "The user is scared of seals || The user is kinda scared of seals",
      ]),
    ),
  ),
  spring(
    [
      "user: bro my car died on the highway",
      "assistant: Oh no. Are you safe?",
      "user: yea im home. its a 2009 opel so no suprise",
      "user: my uncle radu is a mechanic hes gonna look at it thursday",
      "user: u ever had car trouble? jk",
    ],
    typed([
      "The user's car died on the highway",
      "The user's car is a 2009 Opel || The user has a 2009 Opel || The user drives a 2009 Opel",
      relative("uncle", "Radu", "is a mechanic"),
      relative("uncle", "Radu", "is going to look at the user's car on 2026-04-23"),
    ]),
  ),
  summer(
    [
      "user: gm! quick q, whats a good gift for a 30th",
      "assistant: What is the person into?",
      "user: its for my bestie lupe, she's obsessed w orchids and hates surprises",
      "user: party is next saturday at my place",
    ],
    typed([
      "The user's bestie Lupe is obsessed with orchids || The user's bestie is obsessed with orchids || Lupe is obsessed with orchids || The user's best friend Lupe is obsessed with orchids",
      "The user's bestie Lupe hates surprises || The user's bestie hates surprises || Lupe hates surprises || The user's best friend Lupe hates surprises",
      "The party is on 2026-07-25 at the user's place || The party is on 2026-07-25 || Lupe's party is on 2026-07-25 at the user's place || The user's party is on 2026-07-25",
    ]),
  ),
  summer(
    [
      "user: i got the job!!!!",
      "assistant: Congratulations! Which one?",
      "user: the radio station. i start on august 3 and its 4 days a week",
      "user: still cant belive it tbh",
      "user: gotta get rid of my nose ring tho haha",
    ],
    typed([
      "The user got the job at the radio station || The user got a job at the radio station || The user got a job at a radio station",
      "The user starts on August 3 || The user starts at the radio station on August 3 || The user starts on 2026-08-03",
      "The user's job is 4 days a week || The user works 4 days a week || The job is 4 days a week",
    ]),
  ),
  spring(
    [
      "user: cant do thursdays anymore, i have pottery class",
      "assistant: Noted, no Thursdays.",
      "user: n pls stop suggesting indian places, i dont like spicy food at all",
      "user: ur a legend",
    ],
    typed([
      "The user has pottery class on Thursdays || The user has pottery class Thursdays || The user can not do Thursdays anymore || The user can not do Thursdays anymore because the user has pottery class",
      "The user does not like spicy food || The user does not like spicy food at all",
    ]),
  ),
  summer(
    [
      "user: ok update on the roommate drama",
      "assistant: I'm all ears.",
      "user: she moved out yesterday. so now its just me n my cockatoo",
      "user: hes called admiral lol. 14 years old and he swears",
      "user: rent is 780 which i cant pay alone so im looking for someone from september",
    ],
    typed([
      "The user's roommate moved out on 2026-07-17",
      "The user's cockatoo is called Admiral || The user has a cockatoo called Admiral || The user's cockatoo's name is Admiral",
      "The user's cockatoo is 14 years old || The user's cockatoo Admiral is 14 years old || Admiral is 14 years old",
      "The user's rent is 780 || The rent is 780",
      "The user is looking for a roommate from September || The user is looking for someone from September || The user is looking for someone from 2026-09",
    ]),
  ),
  spring([
    "user: lmaooo did u see that",
    "assistant: I can't see it, what happened?",
    "user: nvm. u had to be there",
    "user: brb",
  ]),
  summer([
    "user: would u rather fight one horse sized duck or 100 duck sized horses",
    "assistant: The duck. One target.",
    "user: wrong answer 😂 im the duck",
    "user: ok gn",
  ]),
  spring([
    "user: im sooo hungry",
    "assistant: What are you in the mood for?",
    "user: idk maybe noodles? or pizza. whatever",
    "user: wish i had a personal chef",
  ]),
  summer(
    [
      "user: i think im done with instagram. deleted it last week",
      "assistant: How does it feel?",
      "user: weird but good. i use signal for everything now",
      "user: my username there is kestrel_44",
    ],
    typed([
      "The user deleted Instagram in the week of 2026-07-06 || The user deleted Instagram",
      "The user uses Signal for everything || The user uses Signal for everything now",
      "The user's Signal username is kestrel_44 || The user's username is kestrel_44 || The user's username on Signal is kestrel_44",
    ]),
  ),
  spring(
    [
      "user: yo its been ages. im a dad now!!",
      "assistant: Wow, congratulations!",
      "user: her name is ximena, born on april 2. shes tiny",
      "user: we havent slept since haha. my girlfriend is a superhero",
    ],
    typed([
      "The user is a dad || The user is a dad now || The user became a dad",
      "The user's daughter's name is Ximena || The user's daughter is called Ximena || The user's daughter is Ximena || The user has a daughter called Ximena",
      "The user's daughter was born on April 2 || Ximena was born on April 2 || The user's daughter Ximena was born on April 2 || The user's daughter was born on 2026-04-02 || Ximena was born on 2026-04-02 || The user's daughter Ximena was born on 2026-04-02",
    ]),
  ),
  spring(
    [
      "user: Hello! We're planning three weeks in Namibia in October, self-drive.",
      "assistant: Great idea. Who is coming?",
      "user: Just my husband and me. He can't sleep in tents because of his back, so lodges only.",
      "user: Our budget is 6,500 euros without flights. Is a 4x4 really necessary?",
    ],
    [
      "The user is planning three weeks in Namibia in October || The user is planning three weeks in Namibia in 2026-10 || The user and their husband are planning three weeks in Namibia in October",
      "The user's husband can not sleep in tents because of his back || The user's husband can not sleep in tents",
      "The user's budget is 6,500 euros without flights || The user's budget is 6,500 euros",
    ],
  ),
  summer(
    [
      "user: I land in Osaka on August 12 at 17:05 and need a hotel near the station.",
      "assistant: Any preferences?",
      "user: Non-smoking, and I always ask for a high floor. My loyalty number is QT-33871.",
      "user: I'd skip breakfast, I never eat before noon.",
    ],
    [
      "The user lands in Osaka on August 12 at 17:05 || The user lands in Osaka on 2026-08-12 at 17:05",
      "The user needs a hotel near the station || The user needs a hotel near the station in Osaka",
      "The user always asks for a high floor",
      "The user's loyalty number is QT-33871",
      "The user never eats before noon",
    ],
  ),
  spring(
    [
      "user: so the interrail trip is on!! we leave from basel on june 20",
      "assistant: Who's 'we'?",
      "user: me, kenji and paloma. kenji gets motion sick so no night buses",
      "user: paloma already has the passes. do we need seat reservations in italy?",
    ],
    typed([
      "The user leaves from Basel on June 20 || The user leaves from Basel on 2026-06-20 || The user, Kenji and Paloma leave from Basel on June 20 || The interrail trip leaves from Basel on June 20",
      "Kenji gets motion sick || The user's friend Kenji gets motion sick",
      "Paloma already has the passes || Paloma has the passes",
    ]),
  ),
  summer([
    "user: Is it better to see Petra in the morning or the afternoon?",
    "assistant: Early morning, before the heat.",
    "user: And how far is it from Aqaba?",
    "assistant: About two hours by road.",
    "user: If we had a week more I'd do both. Thanks!",
  ]),
  spring(
    [
      "user: My passport expires in November, so I have to renew it before the Chile trip.",
      "assistant: When do you travel?",
      "user: In January. I hold a Maltese passport, if that matters. I used to have an Argentine one as well.",
    ],
    [
      "The user's passport expires in November || The user's passport expires in 2026-11",
      "The user has to renew their passport before the Chile trip || The user has to renew it before the Chile trip || The user has to renew the user's passport before the Chile trip",
      "The user travels to Chile in January || The user travels in January || The user is travelling to Chile in January || The user travels to Chile in 2027-01",
      "The user holds a Maltese passport",
      "The user used to have an Argentine passport || The user used to have an Argentine passport as well || The user used to have an Argentine one as well",
    ],
  ),
  summer(
    [
      "user: Last session we spoke about my habit of interrupting people.",
      "assistant: How did the week go?",
      "user: Mixed. I caught myself twice in the Monday meeting. My partner says I do it less at home.",
      "assistant: What would help next?",
      "user: I want to count to three before I answer. I'm also giving up checking mail after dinner.",
    ],
    [
      "The user has a habit of interrupting people || The user's habit is interrupting people",
      "The user's partner says the user does it less at home || The user's partner says the user interrupts less at home || The user's partner says that the user does it less at home",
      "The user wants to count to three before they answer || The user wants to count to three before the user answers || The user wants to count to three before answering",
      "The user is giving up checking mail after dinner || The user is also giving up checking mail after dinner",
    ],
  ),
  spring(
    [
      "user: I want to run a half marathon this autumn but I keep skipping training.",
      "assistant: When do you usually train?",
      "user: I'm supposed to run on Tuesdays and Saturdays. I hate running in the rain.",
      "user: My knees are fine, it's all in my head. Does that sound lazy?",
    ],
    [
      "The user wants to run a half marathon this autumn || The user wants to run a half marathon in autumn 2026 || The user wants to run a half marathon in the autumn",
      "The user keeps skipping training",
      "The user is supposed to run on Tuesdays and Saturdays || The user runs on Tuesdays and Saturdays",
      "The user hates running in the rain",
    ],
  ),
  summer(
    [
      "user: I've been thinking about leaving the orchestra.",
      "assistant: What brings that up?",
      "user: I've played the oboe there for nineteen years, and since my divorce I dread the tours.",
      "user: I'm not going to decide before Christmas.",
    ],
    [
      "The user has played the oboe there for nineteen years || The user has played the oboe in the orchestra for nineteen years || The user has played the oboe for nineteen years",
      "The user dreads the tours since their divorce || The user dreads the tours since the user's divorce || The user has dreaded the tours since their divorce || The user is divorced",
      "The user has been thinking about leaving the orchestra || The user is thinking about leaving the orchestra",
      "The user is not going to decide before Christmas",
    ],
  ),
];
