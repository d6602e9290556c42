import { type LabelledBelief, stated } from "../beliefs.ts";

/** Stated beside questions, conditions and wishes, as plans, and of other persons. */
export const CLAUSE_BELIEFS: readonly LabelledBelief[] = [
  stated(
    "clause",
    [
      "user: If you have a minute: I run the archive at the town hall and need a template for loan slips",
    ],
    "The user runs the archive at the town hall",
    "I run the archive at the town hall",
  ),
  stated(
    "clause",
    ["user: want to hear something funny? my landlord is also my dentist"],
    "The user's landlord is also the user's dentist",
    "my landlord is also my dentist",
  ),
  stated(
    "clause",
    ["user: I wish it would rain. My tomatoes get watered by hand, all sixty plants"],
    "The user has sixty tomato plants",
    "My tomatoes get watered by hand, all sixty plants",
  ),
  stated(
    "clause",
    ["user: don't know if that matters but I take blood thinners"],
    "The user takes blood thinners",
    "I take blood thinners",
  ),
  stated(
    "clause",
    ["user: can you tell me whether the ferry runs on sunday? I'm visiting my aunt on Islay"],
    "The user has an aunt on Islay",
    "I'm visiting my aunt on Islay",
  ),
  stated(
    "clause",
    ["user: would love some ideas for dinner, there's five of us and Jonah can't have dairy"],
    "Jonah can not eat dairy",
    "Jonah can't have dairy",
  ),
  stated(
    "clause",
    [
      "user: ok long story, so the boiler man came at 9 and of course no part, then I had to ring my manager because I'm on earlies this month, and in between the school rang that Alfie had a nosebleed, he gets them a lot, so anyway can you write a complaint to the boiler company",
    ],
    "Alfie often has nosebleeds",
    "Alfie had a nosebleed, he gets them a lot",
  ),
  stated(
    "clause",
    [
      "user: so we tried the new place by the canal, Marta said the soup was cold, which it was, and then it turned out the waiter went to school with me in Split, small world, if you're ever there try the market, anyhow what do I write as a review?",
    ],
    "The user went to school in Split",
    "the waiter went to school with me in Split",
  ),
  stated(
    "clause",
    ["user: Should I bring wine? My hosts, the Okafors, are teetotal"],
    "The Okafors do not drink alcohol",
    "My hosts, the Okafors, are teetotal",
  ),
  stated(
    "clause",
    ["user: maybe it's silly but I collect airline sick bags, 340 of them"],
    "The user collects airline sick bags and has 340",
    "I collect airline sick bags, 340 of them",
  ),
  stated(
    "clause",
    ["user: if you were wondering, yes I did pass the bar, in 2019"],
    "The user passed the bar exam in 2019",
    "yes I did pass the bar, in 2019",
  ),
  stated(
    "clause",
    [
      "user: Write a note to the caretaker. It should say that the hall light is broken. I'm in 4B, third floor.",
    ],
    "The user lives in flat 4B on the third floor",
    "I'm in 4B, third floor",
  ),
  stated(
    "clause",
    ["user: when the weather's bad I take the tram, otherwise it's the unicycle"],
    "The user takes the tram in bad weather",
    "when the weather's bad I take the tram",
  ),
  stated(
    "plan",
    ["user: come autumn we're packing up and moving to Tromsø, visas are done"],
    "The user plans to move to Tromsø in autumn",
    "come autumn we're packing up and moving to Tromsø",
  ),
  stated(
    "plan",
    ["user: put my name down for the welding course, starts in the fall"],
    "The user is going to take a welding course",
    "put my name down for the welding course",
  ),
  stated(
    "plan",
    ["user: gonna pop the question to Nuria at the lighthouse, wish me luck"],
    "The user plans to propose to Nuria",
    "gonna pop the question to Nuria at the lighthouse",
  ),
  stated(
    "plan",
    ["user: next year I'm finally doing the Camino, boots are bought"],
    "The user plans to walk the Camino in 2027",
    "next year I'm finally doing the Camino",
  ),
  stated(
    "wish",
    ["user: if only I could afford a sauna"],
    "The user would like to have a sauna",
    "if only I could afford a sauna",
  ),
  stated(
    "wish",
    ["user: my dream is a little bakery by the harbour"],
    "The user dreams of having a bakery by the harbour",
    "my dream is a little bakery by the harbour",
  ),
  stated(
    "wish",
    ["user: I'd kill for a week without meetings"],
    "The user wishes for a week without meetings",
    "I'd kill for a week without meetings",
  ),
  stated(
    "wish",
    ["user: wouldn't mind living in Japan for a bit"],
    "The user would like to live in Japan for a while",
    "wouldn't mind living in Japan for a bit",
  ),
  stated(
    "third person",
    ["user: my flatmate's terrified of needles so I went with her for the jab"],
    "The user's flatmate is afraid of needles",
    "my flatmate's terrified of needles",
  ),
  stated(
    "third person",
    ["user: my best mate Deji just opened a barbershop in Leeds"],
    "The user's friend Deji has opened a barbershop in Leeds",
    "my best mate Deji just opened a barbershop in Leeds",
  ),
  stated(
    "third person",
    ["user: mum's on dialysis three times a week and it's me who drives"],
    "The user's mother has dialysis three times a week",
    "mum's on dialysis three times a week",
  ),
  stated(
    "third person",
    ["user: my uncle left Lebanon in the 80s and never went back"],
    "The user's uncle emigrated from Lebanon in the 1980s",
    "my uncle left Lebanon in the 80s and never went back",
  ),
  stated(
    "third person",
    ["user: the guy I'm seeing is a vet, so free advice for the parrot"],
    "The user is dating a veterinarian",
    "the guy I'm seeing is a vet",
  ),
  stated(
    "used to",
    ["user: back in the day I drove a taxi in Cairo"],
    "The user used to drive a taxi in Cairo",
    "back in the day I drove a taxi in Cairo",
  ),
  stated(
    "used to",
    ["user: I was a nun for six years, believe it or not"],
    "The user was formerly a nun",
    "I was a nun for six years",
  ),
];
