import { keptPairs, type LabelledPair } from "../pairs.ts";

/** What is near enough to be taken for a change, and both hold: of other people, things, times. */
export const MORE_KEPT_PAIRS: readonly LabelledPair[] = keptPairs(`
The user prefers answers in English | The user's mother speaks German
The user prefers short answers | The user prefers short hair
The user's nickname is Bea | The user's sister's nickname is Lulu
The user's surname is Klein | The user's mother's surname is Gross
The user speaks Spanish | The user is learning Portuguese now
The user's Spanish is at B1 | The user's French is at A2 now
The user studies medicine | The user's sister studies law now
The user studies medicine | The user studies in the library now
The user attends an evening course | The user finished the first week
The user is writing a thesis | The user submitted the expense report
The user is building a shed | The user finished painting the fence
The user is reading Dune | The user finished Emma
The user is watching Dark | The user finished Fargo last night
The user is learning guitar | The user quit the running club
The user plays chess online | The user quit chess club committee
The user is in the school choir | The user left school early today
The user volunteers at the food bank | The user left the bank at noon
The user trains with Karim | Karim left Berlin
The user is friends with Jana | The user is not friends with Petra any more
The user is afraid of flying | The user flew to Rome
The user cannot swim | The user's son can swim now
The user does not have a car | The user rented a car for the weekend
The user does not like olives | The user likes capers now
The user cannot drive | The user's wife drives again
The user does not play golf | The user plays padel again
The user no longer works at Bosch | The user visited Bosch again
The user hates running | The user ran to catch the bus again
The user lives with two flatmates | The user has two flatmates' keys now
The release is 2.4 | The beta is 2.5
The primary database is Postgres 16 | The analytics database is Postgres 17 now
The CI runs on GitHub | The docs run on GitLab pages now
The user writes Go at work | The user writes Rust for fun now
The user uses Chrome | The user's wife uses Firefox now
The user listens to Spotify | The user watches Netflix now
The user shops at Lidl | The user bought bread at Aldi
The user reads the Guardian | The user cancelled the Economist
The user subscribes to Disney+ | The user's parents cancelled Disney+
The user has an appointment on May 5 | The user has an appointment on May 12
The user's birthday party is on Saturday | The user's son's birthday party is on Sunday
The order was shipped on May 2 | The order arrives on May 5
The ticket costs 30 euros | The parking ticket costs 15 euros
The API limit is 100 per minute | The export limit is 5 per day now
The user saves 200 euros a month | The user spends 300 euros a month on food now
The user meditates 10 minutes a day | The user reads 30 minutes a day now
The cafe is closed on Mondays | The museum is closed on Tuesdays now
The bakery opens at 6 | The butcher opens at 8 from now on
The standup is at 9:30 | The retro moved to 10:30
The user's seat is 12A | The user's wife's seat is 12B
The flight is on June 3 | The return flight is on June 17
The hotel is in Lisbon | The conference is in Porto
The user's desk is by the window | The printer moved to the kitchen
The user's team meets on Mondays | The board meets on Wednesdays now
The user has physiotherapy on Tuesdays | The user has choir on Thursdays now
The invoice is due on May 1 | The second invoice is due on June 1
Anna lives in Rome | Bert moved to Oslo
Anna works at Lidl | Bert works at Aldi now
Anna is on leave | Bert is back
Anna owns the billing service | Bert took over search from Carl
Anna's email is a@b.example | Bert's email is b@b.example now
The blue mug is for guests | The red mug is for staff
The June report is finished | The July report is open
The back door is locked | The front door is open
The old printer is broken | The new printer works
The first floor is finished | The second floor is in progress
The north gate is closed | The south gate is open
Version 2 supports Windows | Version 3 supports Linux
The morning shift starts at 6 | The evening shift starts at 14
The small hall is painted white | The big hall is painted grey
The spare tyre is new | The front tyre is worn
Tariq coaches the juniors | Noor coaches the seniors
Tariq runs the bakery | Noor runs the mill
Tariq leads the backend team | Noor leads the frontend team
Tariq owns a bakery | Noor owns the bakery next door
Tariq is the goalkeeper | Noor is the captain
Tariq is the vice president of the club | Noor is the president of the club
Tariq is a plumber | Tariq is a volunteer at the fire brigade
Tariq is a father of two | Tariq is a plumber
Tariq is the user's cousin | Tariq is the user's landlord
Tariq studies in Leeds | Tariq studies physics
Tariq works at the mill | Tariq works the early shift
Tariq works as a baker | Tariq works in Leeds
Tariq works on Sundays | Tariq works at home
Tariq lives in Leeds | Tariq lives with two friends
Tariq lives in Leeds | Tariq lives near the station
Tariq lives on the third floor | Tariq lives in Leeds
Tariq drives a van | Tariq drives to Leeds on Fridays
Tariq drives a van | Tariq rides a motorbike
Tariq's daughter is called Amal | Tariq's son is called Idris
Tariq's daughter is 4 | Tariq's son is 7
Tariq's shop opens at 9 | Tariq's cafe opens at 7
Tariq's flight lands at 9 | Tariq's flight leaves at 6
Tariq's car is red | Tariq's bike is blue
Tariq's car is red | Tariq's car is a Fiat
Tariq's office is on the third floor | Tariq's office is next to the kitchen
Tariq's desk is white | Tariq's desk is by the window
The user's grandmother lives in Pisa | The user's grandfather lives in Lucca
The user's oldest son is in third grade | The user's youngest son is in first grade
The user's oldest daughter is 12 | The user's daughter plays the harp
The user is reading a book about bees | The user is reading a book about trees
The user is building a boat | The user built a shed
The user collects stamps | The user sold a few stamps
The user sold the boat | The user sold the trailer
The user bought a boat | The user sold a car
The user bought a tent | The user bought a stove
The user has a tent | The user lent a tent to Noor
The user lent the drill to Noor | The user lent the saw to Tariq
The user owes Noor 20 euros | The user owes Tariq 35 euros
The user paid 20 euros for the tent | The user paid 35 euros for the stove
The user donates to the Red Cross | The user donates to the food bank
The user's tent is green | The user's stove is red
The user planted beans in the north bed | The user planted peas in the south bed
The user's tomatoes are ripe | The user's beans are not ripe
The user waters the roses on Mondays | The user waters the ferns on Fridays
The user is allergic to pollen | The user is allergic to dust
The user can ski | The user can't skate
The user can't cook | The user can bake
The user doesn't own a TV | The user owns a projector
The user never flies | The user takes trains
The user never eats breakfast | The user eats lunch at noon
The user avoids sugar | The user avoids salt
The user hates mornings | The user loves evenings
The user is left-handed | The user is short-sighted
The user is tall | The user is thin
The user is Danish | The user is a Dane living in Leeds
The user is Danish | The user speaks English at work
The user is from Aarhus | The user lives in Leeds
The user was born in Aarhus | The user grew up in Odense
The user moved to Leeds in 2015 | The user moved house in 2021
The user moved to Leeds in 2015 | The user moved from Aarhus
The user joined the choir in 2019 | The user joined the rowing club in 2022
The user left the choir in 2019 | The user left the rowing club in 2022
The user started at the mill in 2018 | The user started piano lessons in 2022
The user finished school in 2005 | The user finished university in 2010
The user graduated in 2010 | The user got married in 2014
The user visited Rome in March | The user visited Oslo in April
The user has been to Rome | The user has not been to Oslo
The user works with Noor | The user works with Tariq
The user reports to Noor | Tariq reports to the user
The user mentors Noor | The user mentors Tariq
The user is married to Noor | The user is the father of Idris
The user's wife is Noor | The user's wife is a plumber
The user's wife works at the mill | The user's wife's sister works at the bakery
The user's dog is called Rex | The user's dog is a beagle
The user's dog is three | The user's cat is five
The user's dog is black | The user's second dog is white
The user's boss is strict | The user's boss is on leave
The user's boss is from Leeds | The user's boss is in Pisa this week
The team uses Trello | The team uses Slack
The team uses Trello for planning | The team uses Jira for bugs
The team has a standup at 9 | The team has a retro at 15
The team has twelve members | The team has two new members
The club has 40 members | The club has 12 boats
The club meets on Mondays | The club meets in the town hall
The club meets on Mondays | The committee meets on Tuesdays
The app is written in Go | The app is hosted in Leeds
The app is free | The app is available on Android
The app runs on Android | The app runs on iOS
The API key rotates monthly | The API key is stored in the vault
The server is in Leeds | The backup server is in Pisa
The server has 16 GB of memory | The server has 4 cores
The server has 16 GB of memory | The database server has 64 GB of memory
The plan costs 10 euros | The plan includes 5 seats
The plan costs 10 euros | The team plan costs 40 euros
The basic plan costs 10 euros | The pro plan costs 20 euros
The room costs 80 euros | The breakfast costs 12 euros
The room seats 20 people | The hall seats 200 people
The room is booked on Monday | The room is booked on Thursday
The course starts in May | The course ends in July
The course is on Mondays | The exam is on a Friday
The course costs 300 euros | The course takes six weeks
The bus leaves at 8 | The last bus leaves at 23
The bus to Leeds leaves at 8 | The bus to York leaves at 9
The train to Leeds takes two hours | The train to York takes one hour
The parcel is at the post office | The letter is on the table
The key is under the mat | The spare key is at Noor's
The contract runs until 2027 | The contract was signed in 2023
The contract with Acme ends in May | The contract with Initech ends in June
The rent is due on the first | The rent is 900 euros
The kitchen is blue | The bathroom is green
The kitchen has a gas stove | The kitchen has a new fridge
The garden is large | The garden is behind the house
The fence is green | The fence was built in 2012
The cake needs four eggs | The bread needs no eggs
The recipe needs 200 g of flour | The recipe needs 100 g of sugar
The book is about bees | The book is out of print
The book was published in 2019 | The second edition was published in 2022
The library closes at 18 | The library is closed on Sundays
The museum is free on Sundays | The museum costs 8 euros
The concert was cancelled | The tickets were refunded
The concert is sold out | The concert is on Friday
The match is on Saturday | The final is on Sunday
The match ended 2-1 | The final ended 3-0
The printer is on the second floor | The scanner is on the third floor
The printer is out of paper | The printer is on the second floor
The alarm code is 4711 | The gate code is 1234
The alarm code is 4711 | The alarm was repaired
The hotline is open until 20 | The office is open until 17
The website is down | The website is written in PHP
The newsletter goes out on Mondays | The invoice goes out on the first
Noor approved the budget | Tariq rejected the schedule
Noor prefers tea | Tariq prefers coffee
Noor prefers tea in the morning | Noor prefers wine in the evening
Noor is on vacation in May | Noor is back at school in June
Noor is vegetarian | Noor's husband is vegan
Noor quit smoking | Noor quit the choir
Noor plays the harp | Noor teaches the harp
Noor has a degree in law | Noor has a degree in history
Noor speaks Arabic | Noor writes in French
Noor went to Pisa | Noor went to school in Leeds
Noor wants to be a pilot | Noor wants to learn Greek
Noor got a dog | Noor got a job at the mill
Noor has a sister | Noor's sister has a boat
Noor lives with Idris | Noor works with Idris
`);
