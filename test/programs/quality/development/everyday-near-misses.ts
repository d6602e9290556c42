import { type EverydayChange, everydayChanges } from "../everyday.ts";

/** What sounds like a change and leaves what was told before as it is. */
export const EVERYDAY_NEAR_MISSES: readonly EverydayChange[] = everydayChanges(
  `
The user lives in Ghent | I live in Ghent | The user is visiting Antwerp this weekend | I'm in Antwerp for the weekend, any tips?
The user works at Lidl | I work at Lidl | The user's brother works at Aldi | my brother started at Aldi
The user has a dog named Bruno | We have a dog, Bruno | The user has a cat named Pixel | we also got a cat, Pixel
The user drives a Skoda Fabia | - | The user's wife drives a Mini | my wife just got a Mini
The user drinks coffee every morning | I drink coffee every morning | The user had tea this morning | only had tea this morning, out of coffee
The user plays guitar | I play guitar | The user is learning piano | I started piano lessons too!
The team uses Jira | we use Jira | The team is evaluating Linear | we're thinking about trying Linear, nothing decided
The backend runs on Node 18 | - | The frontend build uses Node 22 | the frontend build uses node 22 btw
The weekly sync is on Mondays at 10 | our weekly sync is on Mondays at 10 | This week's sync was moved to Tuesday | this week's sync is on Tuesday cause of the holiday
The user's sister Petra works at the library | my sister Petra works at the library | Petra's husband works at a bank | Petra's husband works in a bank
The user goes running on Tuesdays | I go running every Tuesday | The user also goes running on Saturdays | I also go running on Saturdays
The user likes spicy food | I love spicy food | The user likes sushi | I like sushi too
The user is vegetarian | I'm vegetarian | The user's boyfriend eats meat | my boyfriend eats meat though
The user is 29 years old | I'm 29 | The user's brother is 34 | my brother's 34
The user lives in Porto | I live in Porto | The user used to live in Braga | I lived in Braga before that
The user works as a paralegal | - | The user worked as a barista during university | back at uni I worked as a barista
The user's rent is 910 euros | my rent is 910 euros | The user's electricity costs 90 euros a month | electricity's 90 a month on top
The user works from home | I work from home | The user will be in the office on Thursday | I'm in the office this Thursday for the all hands
The user gets up at 7 | I get up at 7 | The user got up at 5 today | had to get up at 5 today for the airport
The user is reading Middlemarch | I'm reading Middlemarch | The user bought Emma | I bought Emma too, next on the pile
The user is learning Italian | - | The user's Italian course is on Wednesdays | my italian class is on wednesdays
The office is in Hackney | our office is in Hackney | The company opened a second office in Leeds | we opened a second office in Leeds
The service is hosted on Fly.io | - | The database is hosted on Neon | the db is hosted on Neon
The frontend is written in Svelte | - | The mobile app is written in Kotlin | the mobile app's written in Kotlin
The team has eight people | we're eight people on the team | The design team has three people | the design team is three people
Ticket OPS-311 is assigned to Bea | - | Ticket OPS-312 is assigned to Lars | OPS-312 is assigned to Lars
The API rate limit is 300 requests per minute | - | The upload limit is 50 MB | the upload limit's 50 MB
The demo is in room Madrid | the demo is in room Madrid | The retro is in room Berlin | the retro's in room Berlin
The project is called Osprey | - | The Osprey project has a budget of 40k | Osprey's budget is 40k
The user's flight is at 8:15 | my flight is at 8:15 | The user's hotel check-in is at 15:00 | my hotel check-in is at 15:00
The user plays tennis with Karim | I play tennis with Karim | The user plays chess with Karim | Karim and I play chess too
The user prefers window seats | - | The user's wife prefers aisle seats | my wife prefers the aisle
The user swims twice a week | - | The user's son swims four times a week | my son swims four times a week, he's in a club
The user has a garden | I have a garden | The user planted tomatoes in the garden | planted tomatoes in the garden today
The user owns a sailing boat | I own a sailing boat | The user sailed to Corsica | sailed to Corsica last week, dreamy
The user's husband Jon works for Scania | my husband Jon works for Scania | Jon's colleague left Scania | Jon's colleague left Scania
The user drinks wine | I drink wine | The user doesn't drink beer | I don't drink beer
The build is green | the build is green | The nightly tests take 40 minutes | nightly tests take 40 minutes
The user is training for a half marathon | I'm training for a half marathon | The user ran 15 km | ran 15k today, legs are dead
The user works at Bosch | I work at Bosch | The user might leave Bosch next year | I might leave Bosch next year, we'll see
The user lives in Lille | I live in Lille | The user's parents moved to Nice | my parents moved to Nice
The user's wedding is on August 8 | my wedding is on August 8 | The user's hen party is on July 4 | my hen party's on July 4
The user sings in the church choir | - | The choir has a concert on Sunday | the choir has a concert on Sunday!
The staging server's IP is 10.0.9.2 | - | The production server's IP is 10.0.1.5 | the production server's IP is 10.0.1.5
The user hates coriander | I hate coriander | The user hates olives | oh and I hate olives
The user's car is a Yaris | my car is a Yaris | The user rented a van for the move | I rented a van for the move tomorrow
The user has three cats | I have three cats | The user's neighbour has two cats | the neighbour has two cats
The user is a teacher | I'm a teacher | The user is a mother of two | I'm also a mum of two
The user lives in Kiel | Ich wohne in Kiel. | The user's sister lives in Flensburg | Meine Schwester wohnt in Flensburg.
The user works part-time | I work part-time | The user's colleague works full-time | my colleague works full time
The current release is 2.4.0 | - | Version 2.3.1 had a memory leak | 2.3.1 had a nasty memory leak btw
The user's gym membership costs 35 euros | - | The user's phone plan costs 20 euros | my phone plan costs 20 euros
The user quit smoking | I quit smoking | The user's father smokes | my dad still smokes like a chimney
The user's landlord is Mr. Pereira | Our landlord is Mr. Pereira | The user's parents' landlord is Mr. Gomes | my parents' landlord is Mr. Gomes
The user drinks two cups of coffee a day | I drink two cups of coffee a day | The user drank five cups of coffee yesterday | had five cups of coffee yesterday
The user has a parrot called Kiki | I have a parrot called Kiki | Kiki learned to whistle | Kiki learned to whistle!
The user's favourite restaurant is Bella Napoli | My favourite restaurant is Bella Napoli | The user tried a restaurant called Ichiban | tried Ichiban yesterday, pretty good
The CI runs on Jenkins | our CI runs on Jenkins | The deployment runs on GitHub Actions | the docs build runs on GitHub Actions
The logs are kept for 14 days | we keep logs for 14 days | The backups are kept for 60 days | backups are kept for 60 days
The user takes the 7:15 train | I take the 7:15 train | The user's husband takes the 8:05 train | my husband takes the 8:05 train
The user wears glasses | I wear glasses | The user bought sunglasses | bought sunglasses for the trip
The user's parents live in Malta | my parents live in Malta | The user's grandparents live in Cyprus | my grandparents live in Cyprus
The user works four days a week | I work four days a week | The user worked six days last week | worked six days last week, never again
The project manager is Hilde | Hilde is our project manager | The designer is Tomasz | Tomasz is our designer
The user uses Gmail | I use Gmail | The user's work email is on Outlook | at work we have Outlook
The user's son doesn't eat vegetables | my son doesn't eat vegetables | The user's daughter eats broccoli | my daughter loves broccoli
The user plays the drums | I play the drums | The user sold his old drum sticks | sold some old drum sticks
The wifi password is sunflower9 | our wifi password is sunflower9 | The guest wifi password is tulip22 | the guest wifi password is tulip22
The user goes to church every Sunday | I go to church every Sunday | The user missed church last Sunday | missed church last Sunday, was ill
The release is planned for June 3 | the release is planned for June 3 | The release party is on June 10 | release party's on June 10
The user is writing a novel | I'm writing a novel | The user finished chapter three | finished chapter three today
The user wants to learn Korean | I want to learn Korean | The user bought a Korean cookbook | bought a Korean cookbook
The shop opens at 9 | our shop opens at 9 | The shop closes at 18 | we close at 18
The user's gym is FitOne | my gym is FitOne | The user's gym has a sauna | my gym has a sauna
The user's brother Ivan is in the army | My brother Ivan is in the army | The user's cousin Oleg left the army | my cousin Oleg left the army
The user lives on the third floor | we live on the third floor | The user's office is on the ground floor | my office is on the ground floor
The beta has 200 testers | our beta has 200 testers | The app has 450 users | the app has 450 users
The user's rent is due on the 1st | my rent is due on the 1st | The user's phone bill is due on the 15th | phone bill's due on the 15th
The user is on the Basic plan | I'm on the Basic plan | The user's company is on the Enterprise plan | my company has the Enterprise plan
Berta is responsible for onboarding | Berta's responsible for onboarding | Omar helped with onboarding last week | Omar helped with onboarding last week
The user sleeps on a futon | I sleep on a futon | The user bought a bed for the guest room | bought a bed for the guest room
The user has no siblings | I don't have siblings | The user has two cousins | I have two cousins
The user's wife is a pilot | my wife is a pilot | The user's wife's sister is an instructor | my wife's sister is an instructor
The user lives in Utrecht | I live in Utrecht | The user works in Amsterdam | I work in Amsterdam
The user's salary is 52,000 dollars | My salary is 52,000 dollars | The user's wife earns 58,500 dollars | my wife earns 58,500
The user has two dogs | We have two dogs | The user has three rabbits | We also have three rabbits
The user's bank is Barclays | My bank is Barclays | The user's credit card is from Amex | my credit card is from Amex
The user gets up at 6:30 | I get up at 6:30 | The user starts work at 8 | I start work at 8
The user runs three times a week | I run three times a week | The user swims once a week | I swim once a week
The user's phone is a Galaxy S20 | My phone's a Galaxy S20 | The user's work phone is an iPhone | my work phone is an iPhone
The user's daughter is in fifth grade | My daughter's in fifth grade | The user's son is in sixth grade | My son's in sixth grade
The team uses Trello | We use Trello | The marketing team uses Asana | the marketing team uses Asana
The product launch is on September 9 | The product launch is September 9 | The product demo is on September 2 | The product demo is September 2
The standup is at 9:15 | Our standup is at 9:15 | The retro is at 15:00 | Our retro is at 15:00
The user's favourite film is Amélie | My favourite film is Amélie | The user watched Past Lives | watched Past Lives last night, loved it
The user studies economics | I study economics | The user has an exam in statistics | I have an exam in statistics
The user is in a book club | I'm in a book club | The user's friend left the book club | my friend left the book club
The user has a subscription to The Economist | I subscribe to The Economist | The user bought a copy of Die Zeit | bought a copy of Die Zeit
The user goes to the gym in the evening | I go to the gym in the evening | The user goes to work in the morning | I go to work in the morning
The user owns a cat named Luna | I have a cat named Luna | Luna caught a mouse | Luna caught a mouse today
The user plays football on Sundays | I play football on Sundays | The user watches football on Saturdays | I watch football on Saturdays
The user pays 12 euros for Spotify | I pay 12 euros for Spotify | The user pays 15 euros for Netflix | Netflix is 15 euros
The user's flight is on Thursday | My flight is on Thursday | The user's return flight is on Sunday | My return flight is on Sunday
Nadia is the product owner | Nadia is our product owner | Felix is the scrum master | Felix is our scrum master
The user's boyfriend is Luca | My boyfriend is Luca | Luca has a brother called Marco | Luca has a brother called Marco
The user is a freelance translator | I'm a freelance translator | The user speaks Czech | I speak Czech
The conference is in Lyon | The conference is in Lyon | The hotel is in Villeurbanne | my hotel is in Villeurbanne
The user's Wi-Fi password is bluebird | The wifi password is bluebird | The user's laptop password was changed | changed my laptop password
The user is a nurse | I'm a nurse | The user is a volunteer firefighter | I'm also a volunteer firefighter
The user's manager is Claire | My manager is Claire | Claire is on parental leave | Claire's on parental leave
The user takes the bus to school | I take the bus to school | The user walked to school today | walked to school today because of the strike
The user is 33 years old | I'm 33 | The user's sister turned 30 | my sister turned 30
The user drives a Honda Jazz | I drive a Honda Jazz | The user test-drove a Kia Ceed | test drove a Kia Ceed yesterday
The user smokes | I smoke | The user doesn't smoke in the house | I don't smoke in the house
The user eats meat | I eat meat | The user had a vegan burger | had a vegan burger for lunch
The user's rent is 1,050 pounds | My rent is 1,050 pounds | The user's deposit was 2,100 pounds | the deposit was 2,100
The server runs Ubuntu 20.04 | The server runs Ubuntu 20.04 | The user's laptop runs Ubuntu 24.04 | my laptop runs Ubuntu 24.04
The user works at Deloitte | I work at Deloitte | The user has a meeting at KPMG | I have a meeting at KPMG
The user's son Milo is 8 years old | My son Milo is 8 | Milo's friend Ben is 9 years old | Milo's friend Ben is 9
The user is engaged to Farid | I'm engaged to Farid | The user's cousin got married | my cousin got married
The user's hair is long | I have long hair | The user's daughter has short hair | my daughter has short hair
The app is written in Objective-C | Our app is written in Objective-C | The backend is written in Swift | the backend is written in Swift
The user is learning Portuguese | I'm learning Portuguese | The user speaks fluent Spanish | I speak fluent Spanish
The user's team meets every Monday | our team meets every Monday | The user's choir meets every Tuesday | my choir meets every Tuesday
The user lives in a flat | I live in a flat | The user lives in Leipzig | I live in Leipzig
The user's best friend is Maja | my best friend is Maja | Maja lives in Turin | Maja lives in Turin
The user's company has 40 employees | my company has 40 employees | The user's department has 8 employees | my department has 8 employees
The user wakes up at 7 | I wake up at 7 | The user's husband wakes up at 6 | my husband wakes up at 6
The user's mother works at a post office | my mother works at a post office | The user's father retired | my father retired
The user goes to bed at midnight | I go to bed at midnight | The user went to bed at 9 yesterday | went to bed at 9 yesterday
The user's flat has two bedrooms | my flat has two bedrooms | The user's flat has one bathroom | my flat has one bathroom
The user drinks a glass of wine every evening | I drink a glass of wine every evening | The user didn't drink wine yesterday | no wine yesterday
The user is vegetarian | I'm a vegetarian | The user cooked chicken for guests | cooked chicken for my guests
The user uses Firefox | I use Firefox | The user uses Thunderbird | I use Thunderbird
The API is in beta | our API is in beta | The mobile app is out of beta | the mobile app is out of beta
The bug tracker is down | the bug tracker is down | The wiki is up | the wiki is up
The budget for marketing is 15,000 euros | the marketing budget is 15,000 euros | The budget for training is 4,000 euros | the training budget is 4,000 euros
Simon is on vacation | Simon is on vacation | Lucia is back from vacation | Lucia's back from vacation
The user prefers tea over coffee | I prefer tea over coffee | The user prefers red wine over white | I prefer red wine over white
The user hates mushrooms | I hate mushrooms | The user likes onions | I like onions
The user's brother lives in Oslo | my brother lives in Oslo | The user's sister moved to Bergen | my sister moved to Bergen
The user collects stamps | I collect stamps | The user bought a stamp album | bought a new stamp album
The user has a gym membership | I have a gym membership | The user has a library card | I have a library card
The user teaches at Lincoln High | I teach at Lincoln High | The user studied at Roosevelt High | I went to Roosevelt High as a kid
The user's train leaves at 6:52 | my train leaves at 6:52 | The user's bus leaves at 7:08 | my bus leaves at 7:08
The user is 178 cm tall | I'm 178 cm tall | The user's son is 180 cm tall | my son is 180 cm tall
The user's cat is missing | my cat is missing | The user's dog came back | my dog came back
The user's laptop is a Dell XPS | my laptop is a Dell XPS | The user's tablet is an iPad | my tablet is an iPad
The user has two children | I have two children | The user has one daughter | I have one daughter
The user works full-time | I work full-time | The user's wife works part-time | my wife works part-time
The user's gym is open until 22 | my gym is open until 22 | The user's pool is open until 20 | my pool is open until 20
The user has a dog named Bo | I have a dog named Bo | The user walks the dog at 7 | I walk the dog at 7
The deadline for the report is Friday | the report is due Friday | The deadline for the slides is Monday | the slides are due Monday
The user owns a house in Halle | I own a house in Halle | The user rents a garage in Halle | I rent a garage in Halle
The user is a doctor | I'm a doctor | The user is a marathon runner | I'm a marathon runner
The user drives a Volvo | I drive a Volvo | The user rode in a Tesla | rode in a Tesla today
The user's phone number is 0170 5550188 | my phone number is 0170 5550188 | The user's office number is 030 5550177 | my office number is 030 5550177
The user likes hiking | I like hiking | The user doesn't like camping | I don't like camping
The user is reading Dune | I'm reading Dune | The user is watching Dune | watching the Dune movie tonight
The user's favourite colour is green | my favourite colour is green | The user painted the hallway blue | painted the hallway blue
The invoice from Meyer is unpaid | the invoice from Meyer is unpaid | The invoice from Schulz was paid | the invoice from Schulz was paid
The user studies law | I study law | The user's roommate studies medicine | my roommate studies medicine
The user has a meeting at 10 | I have a meeting at 10 | The user has a call at 11 | I have a call at 11
The user's cleaner comes on Wednesdays | our cleaner comes on Wednesdays | The user's gardener comes on Fridays | the gardener comes on Fridays
The user's cat is called Minka | my cat's called Minka | Minka is 12 | Minka's 12
The user earns 18 euros an hour | I get 18 euros an hour | The user's flatmate earns 21 euros an hour | my flatmate gets 21 an hour
The user's twins are 3 | my twins are 3 | The user's nephew is 4 | my nephew is 4
The user rides a red bike | I ride a red bike | The user's son has a black bike | my son has a black bike
The build takes 12 minutes | the build takes 12 minutes | The deploy takes 5 minutes | the deploy takes 5 minutes
The CTO is Marta | Marta is our CTO | The CFO is Jens | Jens is our CFO
The backup runs at 2 am | the backup runs at 2 am | The report runs at 4 am | the report runs at 4 am
The user's ticket PAY-99 is in progress | PAY-99 is in progress | Ticket PAY-98 is done | PAY-98 is done
The product costs 49 euros | our product costs 49 euros | The shipping costs 5 euros | shipping costs 5 euros
The user's shoe size is 42 | my shoe size is 42 | The user's husband's shoe size is 45 | my husband's shoe size is 45
The user wants a dog | I want a dog | The user's friend got a dog | my friend got a dog
The user's son plays handball | my son plays handball | The user's son has judo on Tuesdays | my son has judo on Tuesdays too
The user's printer is broken | my printer is broken | The user's scanner works | the scanner works
The user works for the city council | I work for the city council | The user volunteers for a charity | I volunteer for a charity
The office is closed on Mondays | our office is closed on Mondays | The shop is open on Mondays | the shop is open on Mondays
The user's dog is afraid of cars | my dog is afraid of cars | The user's dog isn't afraid of cats | my dog isn't afraid of cats
The user is planning a trip to Iceland | we're planning a trip to Iceland | The user cancelled the dinner | cancelled dinner tonight
Emre is on call | Emre is on call | Emre has a new laptop | Emre has a new laptop
The user has a mortgage | I have a mortgage | The user paid off the car | paid off the car
The user has a beard | I have a beard | The user shaved his head | shaved my head
The team has a daily standup | we have a daily standup | The team has a retro every two weeks | we have a retro every two weeks
The user spends 400 euros a month on groceries | I spend about 400 euros a month on groceries | The user spends 80 euros a month on coffee | I spend 80 euros a month on coffee
The user's favourite author is Murakami | my favourite author is Murakami | The user finished a novel by Ferrante | finished a novel by Ferrante
The user lives near his parents | I live near my parents | The user's brother moved to Sweden | my brother moved to Sweden
The user buys bread at Hofmann's bakery | I buy my bread at Hofmann's | The user baked a cake | baked a cake yesterday
The user's neighbours have a dog | my neighbours have a dog | The user's neighbours are moving out | my neighbours are moving out in June
The user is a PhD student | I'm doing my PhD | The user's colleague finished his PhD | a colleague finished his PhD
The user's sister is married to Rob | my sister is married to Rob | Rob works at sea | Rob works at sea
The main branch is called master | our main branch is called master | The release branch is called prod | the release branch is called prod
The user has a cat and a dog | I have a cat and a dog | The user's cat caught a bird | my cat caught a bird
The user's watch is broken | my watch is broken | The user got his bike repaired | got my bike repaired
The user has three plants | I have three plants | The user waters the plants on Sundays | I water my plants on Sundays
The user lives in Prague | I live in Prague | The user was born in Brno | I was born in Brno
The user gets up at 6 | I get up at 6 | The user has breakfast at 7 | I have breakfast at 7
The user has a sister named Ida | I have a sister named Ida | Ida moved to Rome | Ida moved to Rome
The user lives in Rome | I live in Rome | The user's sister Ida moved to Lecce | my sister Ida moved to Lecce
The user is the captain of his team | I'm captain of my team | The user's coach is Mr. Lund | our coach is Mr. Lund
The user drinks two litres of water a day | I drink two litres of water a day | The user drinks one coffee a day | I drink one coffee a day
The user plays chess online | I play chess online | The user plays chess in a club | I play chess in a club too
`,
  false,
);
