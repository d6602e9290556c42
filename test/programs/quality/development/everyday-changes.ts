import { type EverydayChange, everydayChanges } from "../everyday.ts";

/** What people tell of a change, each written before the rules that read it were looked at. */
export const EVERYDAY_CHANGES: readonly EverydayChange[] = everydayChanges(
  `
The user lives with his parents | I still live with my parents lol | The user has his own apartment | Finally moved out of my parents' house, got my own place near the station
The user's address is 14 Lindenweg, Kassel | - | The user's new address is Gartenstrasse 3, Kassel | pls send stuff to Gartenstrasse 3 from now on, we're not at Lindenweg any more
The user pays 850 euros rent | My rent is 850 euros a month | The user's rent is 910 euros | landlord put the rent up again, it's 910 now ugh
The user is looking for a job | I'm between jobs and looking for work like crazy | The user got a job at Lidl | I got the job at Lidl!!! starting right away
The user is a student at TU Delft | - | The user graduated from TU Delft | Graduated from Delft yesterday, mum cried the whole ceremony
The user is a junior developer | I'm a junior dev at a small agency | The user is a mid-level developer | they promoted me to mid-level dev 😎
The user's job title is team lead | - | The user is now head of operations | New title since this week: head of operations. Same chaos.
The user works night shifts | I'm on night shifts this year | The user works day shifts | they put me back on day shifts, thank god
The user's boss is Mrs. Okafor | My boss is Mrs. Okafor | The user's boss is Daniel Reyes | Okafor retired, my new boss is Daniel Reyes
The user earns 3,200 euros a month | I make 3,200 a month | The user earns 3,450 euros a month | quick one: pay went up to 3,450 a month after the review
The user's sister Petra works at the town library | my sister Petra works at the town library | Petra is now a teacher | Petra quit the library and teaches at a primary school now
The user's husband Jon works for Volvo | My husband Jon works for Volvo | Jon works for Scania | Jon switched from Volvo to Scania btw
The user is engaged to Mia | I'm engaged to Mia | The user is married to Mia | Mia and I tied the knot on Saturday!!
The user is dating Oskar | I've been dating Oskar for a while | The user broke up with Oskar | Oskar and I split up. don't wanna talk about it
The user is single | I'm single atm | The user has a girlfriend called Ines | I have a girlfriend now, her name's Ines
The user has no children | we don't have kids | The user has a daughter | our daughter was born on Tuesday, 3.4 kg, all well
The user has three cats | - | The user has four cats | cat number four arrived, a stray obviously, so we have four cats
The user has a dog named Bruno | We have a dog, Bruno | The user's dog Bruno died | we had to say goodbye to Bruno last night :( he died in his sleep
The user has two goldfish | - | The user has one goldfish left | one of the goldfish died so it's just one now
The user's cat eats dry food | - | The user's cat eats only wet food | my cat only eats wet food from now on, vet's orders
The user's son Finn is in second grade | my son Finn is in second grade | Finn is in third grade | Finn's a third grader now can you believe it
The user's daughter Ella goes to kindergarten | - | Ella goes to primary school | Ella started primary school on Monday, huge backpack tiny kid
The user's daughter is 5 years old | my daughter is 5 | The user's daughter is 6 | my daughter turned 6 yesterday so update that please
The user's niece Zoe studies law in Graz | - | Zoe studies medicine in Vienna | Zoe dropped law and is doing medicine in Vienna instead
The user has an iPhone 12 | I've got an iPhone 12 | The user has a Pixel 9 | dropped my iphone in the lake, I'm on a pixel 9 now
The user uses a Windows laptop | - | The user uses a MacBook Air | work gave me a MacBook Air so no more windows for me
The user's internet plan is 50 Mbit | - | The user's internet plan is 250 Mbit | our internet plan got upgraded to 250 Mbit today
The user drives a Skoda Fabia | I drive an old Skoda Fabia | The user drives a Toyota Yaris | picked up the Yaris today, so that's what I drive now, the Fabia went to my cousin
The user has a car | I've got a car so that's no problem | The user has no car | sold the car, I only cycle and take the train these days
The user commutes by train | I take the train to work | The user commutes by bike | I bike to work now, train was always late
The user's gym membership costs 29 euros | - | The user's gym membership costs 35 euros | gym membership's 35 a month now instead of 29
The user saves 200 dollars a month | I put aside 200 dollars every month | The user saves 350 dollars a month | I'm putting aside 350 dollars a month now
The user eats meat | I eat meat, yes | The user is vegan | went vegan in January, haven't looked back
The user is vegetarian | I'm vegetarian | The user eats fish and meat again | ok confession I'm eating meat again
The user takes her coffee with sugar | I take my coffee with sugar | The user takes her coffee black | no more sugar in my coffee, I drink it black
The user doesn't drink alcohol | - | The user drinks wine again | Had my first wine in a year, so I'm drinking again I guess, just a glass on weekends
The user eats lunch at the canteen | I usually have lunch in the canteen | The user brings her own lunch | I bring my own lunch these days, the canteen got so pricey
The user goes running on Tuesdays | I go running every Tuesday | The user goes running on Thursdays | my run moved to Thursdays, choir's on Tuesdays
The user does yoga every morning | I do yoga every morning | The user stopped doing yoga | I don't do yoga any more, boring
The user meditates for 10 minutes a day | - | The user meditates for 20 minutes a day | I'm up to 20 minutes of meditation a day 🧘
The user plays tennis with Karim | I play tennis with Karim | The user plays padel with Karim instead of tennis | Karim and me gave up tennis, it's all padel now
The user is watching season 2 of The Wire | - | The user is on season 4 of The Wire | I'm on season 4 of The Wire btw, no spoilers!!
The user is training for a half marathon | I'm training for a half marathon | The user ran the half marathon | Did it! I ran the half marathon in 1:58
The user plays guitar in a band called Moss | I play guitar in a band called Moss | The user left the band Moss | I'm not in Moss any more, we had a fight about the setlist
The user sings in the church choir | - | The user quit the church choir | quit the church choir, rehearsals clashed with work
The user's favourite color is green | my fav color is green | The user's favourite color is orange | my favorite color changed to orange, dont ask
The user prefers window seats | - | The user prefers aisle seats | on flights I'd rather have an aisle seat from now on
The user likes spicy food | I love spicy food | The user doesn't like spicy food any more | can't stand spicy food these days
The user prefers to be called Alexander | - | The user prefers to be called Alex | just call me Alex please, not Alexander
The user wants answers in English | Please answer in English | The user wants answers in Dutch | can you answer in Dutch from now on
The user prefers short answers | I prefer short answers | The user prefers detailed answers | I'd like longer, more detailed answers from you from now on
The user's email is nora@oldmail.com | my email is nora@oldmail.com | The user's email is nora@fastpost.eu | use nora@fastpost.eu for everything, I closed the oldmail one
The plumber's number is 555-0134 | - | The plumber's number is 555-0177 | plumber has a new number: 555-0177
The user's hairdresser is Toni | my hairdresser is Toni | The user's hairdresser is Elke | Toni closed down so my hairdresser's Elke now
The backend runs on Node 18 | our backend runs on node 18 | The backend runs on Node 22 | backend's on node 22 since last night's deploy
The staging database is Postgres 13 | - | The staging database was upgraded to Postgres 16 | upgraded the staging database to postgres 16 this morning
Ravi owns the billing service | Ravi owns the billing service | Chloe owns the billing service | heads up, Chloe took over the billing service from Ravi
The demo is in room Berlin | - | The demo is in room Madrid | the demo's in room Madrid not Berlin, it got double booked
The project is called Falcon | - | The project was renamed to Osprey | we renamed the project to Osprey, marketing's idea
The API rate limit is 100 requests per minute | the API rate limit is 100 requests per minute | The API rate limit is 300 requests per minute | rate limit for the API is 300 per minute as of today
The frontend is written in Angular | - | The frontend was rewritten in Svelte | we rewrote the frontend in Svelte, Angular is history
The team has six people | we're six people on the team | The team has eight people | two new starters, so we're eight people on the team now
The build is broken | the build is broken again | The build is green | build's green again, it was a flaky test
The team deploys on Fridays | we deploy on Fridays | The team deploys on Tuesdays | no more Friday deploys, we deploy on Tuesdays now
The user's company uses Slack | - | The user's company uses Teams | company moved from Slack to Teams, kill me
Invoice 2041 is unpaid | invoice 2041 is still unpaid | Invoice 2041 has been paid | they finally paid invoice 2041
The CEO is Martin Falk | - | The CEO is Ioana Pop | Martin Falk stepped down, Ioana Pop is CEO now
The user's 10k personal best is 52 minutes | - | The user's 10k personal best is 49 minutes | my 10k PB is 49 minutes now!!
The user has two children | We have two kids | The user has three children | number three is here! so we have three kids now, send coffee
The user's hair is brown | - | The user's hair is red | dyed my hair red 😅
The user is expecting a baby in June | we're expecting a baby in June | The user's baby was born | baby's here, two weeks early, a boy, Emil
The kitchen renovation is ongoing | we're renovating the kitchen | The kitchen renovation is finished | the kitchen renovation is done!! looks amazing
The user is looking for a new flat | I'm looking for a new flat | The user found a new flat | found a flat finally, can stop searching
The garden has two apple trees | - | The garden has one apple tree | the storm took one of the apple trees so there's only one in the garden
The user's bike is a Cube | - | The user's bike was stolen | someone stole my bike last night
The user owns a sailing boat | I own a little sailing boat | The user sold the sailing boat | sold the sailing boat, sniff
The meeting with Anita is at 3 pm | the meeting with Anita is at 3 pm | The meeting with Anita is at 4 pm | sorry I meant 4 pm for the meeting with Anita, not 3
The user works at Renault | Je travaille chez Renault. | The user works at Airbus | Je travaille maintenant chez Airbus, depuis lundi.
The user drives a Golf | Ich fahre einen Golf. | The user drives a Tesla | Ich fahre jetzt einen Tesla, den Golf hab ich verkauft.
The user's team works in two-week sprints | - | The user's team works in one-week sprints | my team works in one-week sprints now, two was too long
The user has one dog | I have one dog | The user has two dogs | we have two dogs now
The user wakes up at 6 am | I wake up at 6 am | The user gets up at 8 am | I'm getting up at 8 now, the new job starts later.
The user is unemployed | I'm unemployed right now. | The user works at Bosch | I work at Bosch now
The user rents a flat in Leipzig | I rent a flat in Leipzig | The user owns a house in Halle | We own a house in Halle now
The user banks with Barclays | I bank with Barclays | The user banks with Monzo | I bank with Monzo now
The user drinks coffee every morning | I drink coffee every morning | The user no longer drinks coffee, only tea | I no longer drink coffee, only tea
The user is pregnant | - | The user had her baby | I had my baby
The user prefers window seats | I prefer window seats | The user prefers aisle seats because of her knees | Actually I prefer aisle seats now because of my knees.
The user's email is tim@oldcorp.io | My email is tim@oldcorp.io | The user's email is tim@newcorp.io | Please use tim@newcorp.io from now on, the old address is dead.
The user's son Leo is in third grade | My son Leo is in third grade | Leo is in fourth grade | Leo started fourth grade this week.
The API is on version 2 of the protocol | The API is on version 2 of the protocol | The API is on version 3 of the protocol | As of this morning the API is on version 3 of the protocol.
The user plays in a band called Rust | I play in a band called Rust | The user left the band Rust | I left Rust, creative differences.
The user earns 60,000 euros a year | I make 60,000 a year | The user earns 68,000 euros a year | Got a raise, I make 68,000 now.
The user's sister Anna works for Siemens | My sister Anna works for Siemens. | Anna left Siemens and joined Airbus | Anna left Siemens and joined Airbus.
The user is single | I'm single at the moment. | The user is married to Lena | I got married to Lena in June
The user was born in 1988 | I was born in 1988 | The user was born in 1989, not 1988 | Correction: I was born in 1989, not 1988.
The user is flying to Turin | I'm flying to Turin | The user is flying to Trento, not Turin | No, I meant Trento, not Turin.
The user is reading Dune | I'm reading Dune | The user finished Dune | I finished Dune last night, loved it.
The user's landlord is Mr. Pereira | Our landlord is Mr. Pereira | The user's landlord is a company called Vonder | the flat was sold, our landlord's a company called Vonder now
The user drinks two cups of coffee a day | I drink two cups of coffee a day | The user drinks four cups of coffee a day | I'm at four cups of coffee a day now, send help
The user has a parrot called Kiki | I have a parrot called Kiki | The user gave Kiki the parrot to his aunt | Kiki lives with my aunt now, couldn't keep her
The user's daughter Nina is at Oakfield Primary | My daughter Nina goes to Oakfield Primary | Nina goes to Hillcrest Secondary | Nina's moved up to Hillcrest Secondary
The user's mortgage rate is 2.1 percent | Our mortgage rate is 2.1 percent | The user's mortgage rate is 3.8 percent | remortgaged, the rate is 3.8 percent now, ouch
The user's favourite restaurant is Bella Napoli | My favourite restaurant is Bella Napoli | The user's favourite restaurant is Ichiban | Ichiban is my favourite restaurant these days
The user shares an office with Priya | I share an office with Priya | The user has his own office | got my own office finally!
The user is on the Basic plan | I'm on the Basic plan | The user upgraded to the Premium plan | just upgraded to Premium
The user's watch is a Casio | I wear a Casio watch | The user wears a Garmin watch | swapped my Casio for a Garmin
The user is afraid of dogs | I'm scared of dogs | The user is no longer afraid of dogs | I'm not scared of dogs anymore, therapy worked
The user plays the drums | I play the drums | The user stopped playing the drums | sold my drum kit and stopped playing altogether, neighbours
The user's brother Ivan is in the army | My brother Ivan is in the army | Ivan left the army and drives a taxi | Ivan left the army, he's driving a taxi now
The user goes to church every Sunday | I go to church every Sunday | The user no longer goes to church | we stopped going to church
The shop opens at 9 | our shop opens at 9 | The shop opens at 10 | we open at 10 now, nobody came before that
The user's username is kralle77 | My username is kralle77 | The user's username is kralle_neu | changed my username to kralle_neu
The project manager is Hilde | Hilde is our project manager | The project manager is Tomasz | Tomasz is the project manager now, Hilde went to sales
The API key rotates every 90 days | our API key rotates every 90 days | The API key rotates every 30 days | API key rotates every 30 days now for compliance
The logs are kept for 14 days | we keep logs for 14 days | The logs are kept for 60 days | log retention went from 14 to 60 days
The user's team meets in room Saturn | our team meets in room Saturn | The user's team meets in room Pluto | team meetings are in Pluto from now on, Saturn's being painted
The CI runs on Jenkins | our CI runs on Jenkins | The CI runs on GitHub Actions | we moved CI from Jenkins to GitHub Actions
The user's laptop has 16 GB of RAM | my laptop has 16 GB of RAM | The user's laptop has 32 GB of RAM | upgraded the RAM in my laptop to 32 GB
The release is planned for June 3 | the release is planned for June 3 | The release was postponed to July 1 | release got pushed to July 1
The beta has 200 testers | our beta has 200 testers | The beta has 450 testers | we've got 450 beta testers now
The login page is at /signin | the login page is at /signin | The login page moved to /login | login page moved to /login
The user's co-founder is Amir | my co-founder is Amir | Amir left the startup | Amir's out, we parted ways last month
The user is writing a novel | I'm writing a novel | The user finished the novel | novel's done!!! 94k words
The user is recovering from a broken leg | - | The user's leg has healed | leg's all healed, back on the bike
The user has braces | I have braces | The user's braces were removed | braces came off yesterday!
The user wears glasses | I wear glasses | The user wears contact lenses | switched to contact lenses
The user is a beginner at chess | I'm a beginner at chess | The user's chess rating is 1500 | hit 1500 on chess.com so not a beginner anymore
The user's gym is FitOne | my gym is FitOne | The user goes to Iron Works gym | cancelled FitOne, I train at Iron Works now
The user takes the 7:15 train | I take the 7:15 train | The user takes the 8:05 train | taking the 8:05 these days, much emptier
The user reads on the train | I read on the train | The user listens to podcasts on the train | no more reading on the train, it's podcasts now
The user's partner is unemployed | My partner's unemployed | The user's partner started working at a school | my partner started at a school, so happy
The user lives on the third floor | we live on the third floor | The user lives on the ground floor | moved down to the ground floor, no more stairs
The user's parents live in Malta | my parents live in Malta | The user's parents moved to Cyprus | my parents have moved to Cyprus
The user's wife is a pilot | my wife is a pilot | The user's wife is a flight instructor | my wife stopped flying, she's an instructor now
The user's son doesn't eat vegetables | my son doesn't eat vegetables | The user's son eats broccoli | my son eats broccoli now?!
The user uses Gmail | I use Gmail | The user uses Proton Mail | left Gmail for Proton
The user has no siblings | I don't have siblings | The user has a half-brother | turns out I've a half-brother, just met him
The user's car insurance costs 480 euros a year | my car insurance is 480 euros a year | The user's car insurance costs 390 euros a year | car insurance dropped to 390 a year
The user is the youngest on the team | I'm the youngest on the team | The user is no longer the youngest on the team | new intern, so I'm not the youngest on the team any more
The user's nickname is Shorty | my nickname is Shorty | The user no longer wants to be called Shorty | please don't call me Shorty anymore
The user's favourite season is summer | my favourite season is summer | The user's favourite season is autumn | autumn over summer any day now, it's my favourite
The user works four days a week | I work four days a week | The user works five days a week | back to five days a week
The user's rent is due on the 1st | my rent is due on the 1st | The user's rent is due on the 15th | rent's due on the 15th now
The user doesn't have a passport | I don't have a passport | The user has a passport | my passport arrived!
The user wants to learn Korean | I want to learn Korean | The user started learning Korean | started learning Korean this week
The user has long nails | - | The user cut her nails short | cut my nails short for climbing
The user's sister is in hospital | - | The user's sister is home from hospital | my sister's home from hospital
The kitchen wall is green | our kitchen wall is green | The kitchen wall is white | painted the kitchen wall white
The user owns 3 percent of the company | I own 3 percent of the company | The user owns 5 percent of the company | my share went up to 5 percent
Berta is responsible for onboarding | Berta's responsible for onboarding | Omar is responsible for onboarding | Omar does onboarding now instead of Berta
The user's phone plan has 5 GB of data | my phone plan has 5 GB | The user's phone plan has 20 GB of data | got bumped to 20 GB on my phone plan
The user is allergic to cats | - | The user is no longer allergic to cats | turns out I'm not allergic to cats
The wifi password is sunflower9 | our wifi password is sunflower9 | The wifi password is tulip22 | wifi password is tulip22 as of today
The user's Spanish is at level A2 | my Spanish is at A2 | The user's Spanish is at level B1 | passed B1 in Spanish!
The user is the treasurer of the club | I'm the treasurer of the club | The user stepped down as treasurer | stepped down as treasurer, no time
The user sleeps on a futon | I sleep on a futon | The user bought a real bed | bought a real bed, goodbye futon
The user's dog is a puppy | our dog is still a puppy | The user's dog is two years old | the dog's two now, no puppy any more
The user lives in Utrecht | I live in Utrecht, near the canal | The user has relocated to Maastricht | Just wanted to let you know that I've relocated to Maastricht
`,
  true,
);
