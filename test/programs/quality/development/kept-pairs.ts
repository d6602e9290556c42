import { keptPairs, type LabelledPair } from "../pairs.ts";

/** What is near enough to be taken for a change, and both hold: of other people, things, times. */
export const KEPT_PAIRS: readonly LabelledPair[] = keptPairs(`
The user likes coffee | no more questions for now
The user has a daughter | The user's daughter is sick today
The user has a dog | The user wants to get another dog
The user works at Siemens | The user quit the gym
The user's sister lives in Rome | The user left Rome yesterday after the visit
The user plays the piano | The user sold the old piano stool
The user drives a Volvo | The user's dad sold his Volvo
The user's dad drives a Volvo | Dad sold his Passat
The user is a member of the chess club | The user missed the chess club last night
The user has a flat in Lyon | The user sold the sofa
The user lives in Lyon | The user works in Grenoble now
The user is learning Spanish | The user finished the Spanish homework
The user is writing a novel | The user finished chapter three of the novel
The user is training for a marathon | The user ran a 10k on Sunday
The user is renovating the kitchen | The user finished the kitchen shopping list
The user subscribes to Netflix | The user cancelled Disney+
The user has a subscription to the Economist | The user cancelled the dentist appointment
The user takes vitamin D | The user ran out of vitamin C
The user plays football on Mondays | Football is cancelled this Monday
The meeting is on Friday | The meeting on Friday was moved to room 4
The meeting is at 10 | The meeting went on until 11
The user has two cats | The user fed two of the cats
The user lives with Anna | Anna moved her desk to the window
The user's boss is Carla | Carla left early today
The user's boss is Carla | Carla quit smoking
The user's team lead is Omar | Omar left for lunch
The user's neighbour is Omar | Omar left the company
The user smokes | The user's brother quit smoking
The user drinks tea in the morning | The user gave up coffee
The user has a bike | The user's bike was repaired
The user has a red bike | The user sold the blue bike
The user has a car | The user is not a good driver
The user is a teacher | The user is not a morning person
The user is a vegetarian | The user is not a vegan
The user is vegetarian | The user does not eat eggs
The user likes red wine | The user does not like white wine
The user is allergic to nuts | The user is not allergic to milk
The user has a passport | The user renewed the passport
The user's passport expires in 2027 | The user's ID card expires in 2031
The project deadline is May 12 | The user missed the deadline of the tax return
The user's phone is a Pixel 7 | The user bought the daughter a Pixel 9
The user uses Slack at work | The user uses Discord with friends
The user reads on a Kindle | The user bought a book at Waterstones
The user works from home on Fridays | The user works in the office on Mondays
The user goes to the gym on Mondays | The user goes to the pool on Wednesdays
The user's flight leaves at 7:40 | The user's train leaves at 9:10
The rent is 900 euros | The deposit is 1800 euros
The user pays 900 euros rent | The user pays 60 euros for parking
The user earns 3000 euros | The user's wife earns 3500 euros
The user weighs 80 kg | The user's suitcase weighs 23 kg
The user is 34 years old | The user's house is 100 years old
The user is married to Tom | The user's sister is divorced
The user has a son | The user's sister had a baby
The user's son is 8 | The user's nephew turned 9
The user lives in Berlin | The user was born in Munich
The user lives in Berlin | The user's company moved to Munich
The user lives in Berlin | The user is moving the meeting to Munich time
The user lives in a flat | The user rents out a house in Spain
The user uses Postgres for billing | The user uses Redis for sessions
The API is written in Go | The CLI is written in Rust
The staging server runs Ubuntu 22 | The production server runs Ubuntu 24
The budget is 40k | The marketing budget is 12k
Ravi owns billing | Chloe owns search
Ravi is on call this week | Chloe is on call next week
The office is on the third floor | The kitchen is on the second floor
The store opens at 9 | The store closes at 18
The user wakes up at 6 | The user woke up at 9 on Sunday
The user sleeps 8 hours | The user slept 5 hours last night
The user runs 5 km | The user ran 10 km yesterday
The user's favourite colour is green | The user painted the kitchen blue
The user's favourite film is Alien | The user watched Heat last night
The user's favourite band is Muse | The user's sister's favourite band is Blur
The user studies law | The user failed a law exam
The user studies at TU Delft | The user's friend graduated from TU Delft
The user is a student | The user is a tutor
The user is looking for a flat | The user viewed a flat in Altona
The user is looking for a job | The user had a job interview at Lidl
The user is saving for a camper | The user rented a camper for a week
The user is pregnant | The user is tired
The user wants to learn Italian | The user booked a trip to Italy
The user is going to Japan in May | The user booked a hotel in Kyoto
The user has a meeting with Ana on Tuesday | The user has a meeting with Ben on Wednesday
The user's dentist is Dr. Wu | The user's eye doctor is Dr. Lane
The user's email is a@b.example | The user's wife's email is c@d.example
The user's birthday is on May 3 | The user's wedding anniversary is on June 3
The user has an iPhone | The user has an iPad
The user has a Mac | The user's work laptop runs Windows
The user plays the violin | The user used to play the flute
The user likes hiking | The user did not go hiking on Sunday
The user does yoga | The user skipped yoga today
The user goes to church | The user did not go to church on Sunday
The user drinks beer | The user did not drink yesterday
The user eats meat | The user had a vegan burger
The user commutes by train | The user missed the train
The user commutes by bike | The user took the bus because of the rain
The user's car is a Golf | The user's car broke down on Monday
The user's laptop is a ThinkPad | The user's laptop crashed twice
The user has an umbrella | The user lost an umbrella on the train
The user's cat is called Minka | The user's cat was at the vet
The user speaks French | The user does not speak Dutch
The user is afraid of spiders | The user is not afraid of snakes
The user hates mushrooms | The user likes onions
The team meets in room Saturn | The team had lunch in room Pluto
The invoice 2041 is unpaid | The invoice 2042 was paid
The ticket OPS-1 is open | The ticket OPS-2 was closed
The build is broken | The lint job is green
The tests take 10 minutes | The deploy takes 4 minutes
The user uses dark mode | The user uses a light theme in Figma
The user prefers short answers | The user asked for a long story
The user lives with two roommates | The user's roommate left the light on
The user volunteers at the shelter | The user adopted a dog from the shelter
The user has a beard | The user trimmed the hedge
The user owns a house | The user sold the house plants
The user is in a band | The user left the band room unlocked
The user's mother lives alone | The user lives with a partner
The user's mother is retired | The user's father still works
The user works at Lidl | The user shops at Aldi
The user works at a bank | The user's bank is Monzo
The user works at a bakery | The user stopped eating bread
The user banks with ING | The user opened a savings account at N26
The user is insured with Allianz | The user's car is insured with AXA
The user's landlord is Mr. Ruiz | The landlord fixed the boiler
The user's gym is Forge | The gym is closed on Sunday
The user's password for the router is fox | The user's password for the laptop is bear
The user sits next to Tim | Tim sits next to Ana
The user likes Rome | The user left Rome on Sunday
The user's brother is a pilot | The user is not a pilot
Anna is a pilot | Bert quit as a pilot
The user is the treasurer of the club | Ana is the president of the club
The user teaches maths | The user's son hates maths
The user coaches the girls team | The boys team has a new coach
The user's son goes to primary school | The user's daughter started secondary school
The user's flatmate is Ben | Ben left for the weekend
The user's goalkeeper is Tom | Tom is out injured
The treasurer is Petra | Petra quit smoking
The office manager is Lena | Lena moved to Bonn
The project lead is Omar | Omar is on holiday
The deputy mayor is Ines | The mayor is Paul
The user's tutor is Jan | The user's maths tutor is Eva
The user's barber is Toni | Toni's brother opened a bar
The user has a meeting with Tom | The user cancelled the hotel in Rome
The user has a trip to Rome in May | The user booked a trip to Oslo
The user is going to a wedding in June | The user's cousin's wedding was cancelled
The user's car insurance costs 400 euros | The user's car costs 120 euros a month
The user's phone number is 0160 111222 | The office phone number is 0160 333444
The user's room is 12 | The meeting room is 14
The wifi password is fox22 | The guest wifi password is bear33
The backend runs on Node 22 | The user bumped Node to 24 in the frontend
The app uses React 18 | The admin panel uses React 19
The user pays 10 euros for Spotify | The user pays 15 euros for Netflix
The user drinks three coffees a day | The user drinks two litres of water a day
The user works 40 hours a week | The user sleeps 7 hours a night
The user runs three times a week | The user swims twice a week
The user has two sons | The user has two daughters
The user has three cats | The user has two dogs now
The team has eight engineers | The team has two designers now
The user is 180 cm tall | The user's son is 120 cm tall now
The user bench presses 80 kg | The user weighs 82 kg now
The course has 30 students | The course has 12 lessons
The user is on chapter 4 of Emma | The user is on chapter 9 of Dune
The user is on season 2 of The Wire | The user finished season 1 of Fargo
The rehearsal is on Tuesday | The concert is on Friday
The rehearsal is at 7 | The rehearsal room opens at 6
The user's train leaves at 7:15 | The user's alarm rings at 6:15
The shop opens at 9 | The shop on Main Street opens at 10
The deadline is on May 3 | The kickoff is on May 10
The exam is in June | The results come in July
The visa expires in May | The passport expires in 2030
The user lives in Rome | The user has a second home in Nice
The user lives in Rome | The user stays in Milan during the week
The user lives in Rome | The user spent the summer in Oslo
The user works at Bosch | The user also teaches at the university
The user works at Bosch | The user worked at Siemens before
The user works at Bosch | The user applied at Siemens
The user is a nurse | The user is a volunteer firefighter
The user is a nurse | The user became a mother
The user is a nurse | The user became the captain of the team
The user is an engineer | The user is the oldest of four children
The user is an engineer | The user is now an aunt
The user works night shifts | The user worked a day shift on Monday
The user works remotely | The user works at a café on Fridays
The user works full-time | The user's wife works part-time now
The user's salary is 3000 euros | The user's bonus is 500 euros
The user is engaged to Mia | The user's brother is engaged to Lea
The user is dating Oskar | The user's best friend is dating Max
The user's boyfriend is Emre | The user's boyfriend's brother is Can
The user is single | The user's sister has a boyfriend now
The user has no children | The user's sister has a daughter
The user is married | The user's parents divorced
The user has a dog | The user's neighbour's dog died
The user has a dog named Bruno | The user's childhood dog died years ago
The user has a cat | The user's goldfish died
The user has a parrot | The user gave the parrot a new cage
The user plays the cello | The user got a new bow
The user has a piano | The user's piano was tuned
The user has an old bike | The user got a new helmet
The user's laptop is slow | The user's phone is fast again
The dishwasher is broken | The washing machine works again
The user's knee hurts | The user's back is fine
The site is down | The intranet is up again
The lift is out of order | The escalator was fixed
The user's kitchen is being renovated | The bathroom is finished
The user smokes | The user does not drink
The user does not drink | The user drank alcohol-free beer
The user is vegan | The user's dog eats meat
The user is vegan | The user cooked meat for guests
The user eats fish | The user does not eat shrimp
The user takes milk in the coffee | The user drinks tea black
The user drinks coffee black | The user drinks tea with milk
The user gets up at 6 | The user's husband gets up at 8
The user goes to bed at 10 | The kids go to bed at 8
The user's hair is brown | The user's daughter dyed her hair pink
The user has long hair | The user's dog has short hair
The user banks with ING | The user's parents switched to N26
The user is on the Pro plan | The user's team is on the free plan
The user's gym is Forge | The user joined the tennis club
The user drives to work | The user walks to the bakery
The user commutes by train | The user flies to Berlin by plane
The user has a driving licence | The user's son is learning to drive
The user sits next to Ana at work | The user sat next to Bob at dinner
`);
