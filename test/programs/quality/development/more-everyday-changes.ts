import { type EverydayChange, everydayChanges } from "../everyday.ts";

/** What people tell of a change, each written before the rules that read it were looked at. */
export const MORE_EVERYDAY_CHANGES: readonly EverydayChange[] = everydayChanges(
  `
The user is a nurse at the children's hospital | I'm a nurse at the children's hospital | The user works as a school nurse | I changed jobs: I'm a school nurse now
The user's salary is 52,000 dollars | My salary is 52,000 dollars | The user's salary is 58,500 dollars | good news, they bumped my salary to 58,500
The user's son Milo is 8 years old | My son Milo is 8 | Milo is 9 years old | Milo had his 9th birthday yesterday 🎂
The user has two dogs | We have two dogs | The user has three dogs | We adopted another dog so it's three dogs now
The user drives a Honda Jazz | I drive a Honda Jazz | The user drives a Kia Ceed | My new car is a Kia Ceed
The user's bank is Barclays | I'm with Barclays | The user switched to Starling Bank | I've switched banks, I'm with Starling now
The user is pescatarian | I'm pescatarian | The user is fully vegetarian | I don't eat fish anymore either, fully vegetarian
The user gets up at 6:30 | I get up at 6:30 | The user gets up at 7:15 | I've started getting up at 7:15
The user runs three times a week | I run three times a week | The user runs once a week | only running once a week these days, knee stuff
The user is engaged to Farid | I'm engaged to Farid | The user and Farid called off their engagement | Farid and I called it off
The user works at Deloitte | I work at Deloitte | The user quit her job at Deloitte | handed in my resignation at Deloitte, last day was Friday
The user lives with two roommates | I live with two roommates | The user lives alone in a studio | I finally have a studio all to myself
The user's phone is a Galaxy S20 | My phone's a Galaxy S20 | The user's phone is an iPhone 15 | got an iPhone 15, goodbye Samsung
The user's email address is jo@hotmail.com | my email's jo@hotmail.com | The user's email address is jo.p@gmail.com | can you use jo.p@gmail.com instead of the hotmail one
The user's daughter is in fifth grade | My daughter's in fifth grade | The user's daughter is in sixth grade | My daughter just started sixth grade
The user's manager is Claire | My manager is Claire | The user's manager is Samuel | Claire left, Samuel's my manager now
The team uses Trello | We use Trello | The team uses Asana | We've switched over to Asana
The server runs Ubuntu 20.04 | The server runs Ubuntu 20.04 | The server runs Ubuntu 24.04 | We upgraded the server to Ubuntu 24.04
The product launch is on September 9 | The product launch is September 9 | The product launch is on September 23 | The launch has been moved to September 23
The standup is at 9:15 | Our standup is at 9:15 | The standup is at 9:45 | Standup is at 9:45 from now on
The user's rent is 1,050 pounds | My rent is 1,050 pounds | The user's rent is 1,120 pounds | My landlord raised my rent to 1,120
The user smokes ten cigarettes a day | I smoke ten cigarettes a day | The user stopped smoking | I haven't smoked for a month now
The user takes the bus to school | I take the bus to school | The user walks to school | I walk to school now since we moved
The user is learning Portuguese | I'm learning Portuguese | The user gave up learning Portuguese | I gave up on Portuguese
The user is saving for a motorbike | I'm saving for a motorbike | The user bought a motorbike | I bought the motorbike!!
The user's favourite film is Amélie | My favourite film is Amélie | The user's favourite film is Past Lives | Past Lives is my new favourite film
The user is allergic to nothing | - | The user is allergic to peanuts | turns out I'm allergic to peanuts
The user studies economics | I study economics | The user switched to sociology | I switched from economics to sociology
The user lives on Hill Street 12 | I live at Hill Street 12 | The user lives on Rosewood Avenue 3 | we've moved to Rosewood Avenue 3
The user's doctor is Dr. Imran | - | The user's doctor is Dr. Bell | my new GP is Dr. Bell
The user is in a book club | I'm in a book club | The user left the book club | I left the book club, too much drama
The user has a subscription to The Economist | I subscribe to The Economist | The user cancelled The Economist | cancelled my Economist subscription
The user drinks oat milk | I drink oat milk in my coffee | The user switched to soy milk | switched from oat milk to soy
The user's hair is long | I have long hair | The user cut her hair short | I got my hair cut really short
The user goes to the gym in the evening | I go to the gym in the evening | The user goes to the gym in the morning | I go to the gym in the mornings now
The user's team has 4 engineers | My team has 4 engineers | The user's team has 6 engineers | We hired two more, so my team has 6 engineers now
The user is the head of marketing | I'm head of marketing | The user is chief marketing officer | I got promoted to chief marketing officer
The user owns a cat named Luna | I have a cat named Luna | Luna passed away | Luna passed away on Tuesday, I'm heartbroken
The user works from home three days a week | I work from home three days a week | The user works from home five days a week | I'm working from home all five days now
The app is written in Objective-C | Our app is written in Objective-C | The app was rewritten in Swift | We finished rewriting the app in Swift
The user plays football on Sundays | I play football on Sundays | The user plays football on Saturdays | football's on Saturdays now
The user pays 12 euros for Spotify | I pay 12 euros for Spotify | Spotify costs the user 15 euros | Spotify went up to 15 euros
The user is not on Instagram | I'm not on Instagram | The user joined Instagram | I joined Instagram
The user's mother-in-law lives with them | My mother-in-law lives with us | The user's mother-in-law moved into her own flat | my mother-in-law moved out
The user is 33 weeks pregnant | - | The user gave birth to a boy | I gave birth to a little boy on Monday
The user's flight is on Thursday | My flight is on Thursday | The user's flight was moved to Friday | My flight got moved to Friday
The user's visa expires in May | - | The user's visa expires in November | my visa was extended until November
The user's thesis deadline is March 1 | My thesis is due March 1 | The user's thesis deadline was extended to April 15 | got an extension on my thesis until April 15
The user takes vitamin D | - | The user no longer takes vitamin D | I stopped taking vitamin D
Nadia is the product owner | Nadia is our product owner | Felix is the product owner | Felix took over as product owner
The user reads before bed | I read before bed | The user watches series before bed | I don't read before bed anymore
The user's boyfriend is Luca | My boyfriend is Luca | The user and Luca split up | Luca and I broke up
The user's internet provider is Vodafone | My internet provider is Vodafone | The user's internet provider is Telekom | changed my internet provider to Telekom
The user is a freelance translator | I'm a freelance translator | The user works for a translation agency | I've joined a translation agency, no more freelancing
The wedding has 80 guests | We're having 80 guests at the wedding | The wedding has 60 guests | we cut the guest list to 60
The user's apartment is on the market | Our apartment is on the market | The user sold the apartment | We sold our apartment
The conference is in Lyon | The conference is in Lyon | The conference is in Nantes | The conference was moved to Nantes
The user is a member of the Green Party | - | The user left the Green Party | I left the Greens
The user's Wi-Fi password is bluebird | The wifi password is bluebird | The user's Wi-Fi password is redfox22 | I changed the wifi password to redfox22
The user's team meets every Monday | our team meets every Monday | The user's team meets every Tuesday now | team meeting's every Tuesday now
The user is unmarried | I'm not married | The user got married last weekend | we got married last weekend!
The user rents out a spare room | I rent out my spare room | The user no longer rents out the spare room | I no longer rent out the spare room
The user is on a diet | I'm on a diet | The user is no longer on a diet | no more diet for me
The user lives in a flat | I live in a flat | The user moved into a house | we moved into a house with a garden
The user plays the trumpet | I play the trumpet | The user switched from trumpet to trombone | I play the trombone now instead of the trumpet
The user's best friend is Maja | my best friend is Maja | The user is no longer friends with Maja | Maja and I aren't friends anymore
The user's desk is next to the window | my desk is next to the window | The user's desk is by the door | they moved my desk, it's by the door now
The user's company has 40 employees | my company has 40 employees | The user's company has 55 employees | we're 55 employees now
The user wakes up at 7 | I wake up at 7 | The user wakes up at 6 | now waking up at 6 to go for a run
The user's mother works at a post office | my mother works at a post office | The user's mother retired | my mother retired last month
The user has a motorcycle licence | - | The user lost his motorcycle licence | lost my motorcycle licence
The user's blog is on WordPress | my blog is on WordPress | The user's blog is on Ghost | moved my blog from WordPress to Ghost
The user goes to bed at midnight | I go to bed at midnight | The user goes to bed at 10 pm | I go to bed at 10 pm these days
The user is a member of the tennis club | I'm a member of the tennis club | The user quit the tennis club | quit the tennis club
The user's sister is pregnant | - | The user's sister had a girl | my sister had her baby, a girl!
The user's flat has two bedrooms | my flat has two bedrooms | The user's flat has three bedrooms | we converted the study so the flat has three bedrooms now
The user drinks a glass of wine every evening | I drink a glass of wine every evening | The user stopped drinking alcohol | I've stopped drinking alcohol
The user's Netflix password is hunter2 | our Netflix password is hunter2 | The user's Netflix password is now qwerty9 | new Netflix password: qwerty9
The user is vegetarian | I'm a vegetarian | The user started eating chicken | I've started eating chicken
The user's children go to the Montessori school | my kids go to the Montessori school | The user's children changed to the public school | the kids changed to the public school
The user's office hours are 9 to 5 | my office hours are 9 to 5 | The user's office hours are 10 to 6 | my office hours are 10 to 6 now
The user uses Firefox | I use Firefox | The user switched to Brave | switched from Firefox to Brave
The API is in beta | our API is in beta | The API is generally available | the API is out of beta
The database has 12 tables | our database has 12 tables | The database has 17 tables | we're up to 17 tables in the database
The bug tracker is down | the bug tracker is down | The bug tracker is back up | bug tracker's back up
The budget for marketing is 15,000 euros | the marketing budget is 15,000 euros | The budget for marketing is 11,000 euros | marketing budget got cut to 11,000 euros
Simon is on vacation | Simon is on vacation | Simon is back from vacation | Simon's back from vacation
The feature flag is off | the feature flag is off | The feature flag is on | we turned the feature flag on
The user's code review is pending | my code review is pending | The user's code review was approved | my code review got approved
The user's laptop is a Dell XPS | my laptop is a Dell XPS | The user's laptop is a ThinkPad | I've got a ThinkPad now, the Dell died
The user prefers tea over coffee | I prefer tea over coffee | The user prefers coffee over tea | I prefer coffee over tea now
The user hates mushrooms | I hate mushrooms | The user likes mushrooms | I actually like mushrooms now
The user is learning to drive | I'm learning to drive | The user passed her driving test | passed my driving test!!
The user has a cold | - | The user has recovered from the cold | cold's gone
The user has no car | I don't have a car | The user bought a used Corsa | we bought a used Corsa
The user's brother lives in Oslo | my brother lives in Oslo | The user's brother moved back to Bergen | my brother moved back to Bergen
The user's neighbour is called Greta | my neighbour is called Greta | Greta moved out and the user's new neighbour is Paul | Greta moved out, my new neighbour is Paul
The user collects stamps | I collect stamps | The user sold his stamp collection | sold my stamp collection
The user is the goalkeeper of his team | I'm the goalkeeper in my team | The user plays as a striker | I play striker now, no more goalkeeping
The user has a gym membership | I have a gym membership | The user cancelled his gym membership | cancelled my gym membership
The user's website is written in PHP | my website is written in PHP | The user's website is written in Astro | rebuilt my website in Astro
The user teaches at Lincoln High | I teach at Lincoln High | The user teaches at Roosevelt High | I teach at Roosevelt High now
The user's train leaves at 6:52 | my train leaves at 6:52 | The user's train leaves at 7:08 | my train leaves at 7:08 now, new timetable
The user listens to podcasts on Pocket Casts | I listen to podcasts on Pocket Casts | The user listens to podcasts on Spotify | I listen to podcasts on Spotify now
The user is 178 cm tall | I'm 178 cm tall | The user is 180 cm tall | measured again, I'm 180 cm tall
The user has an appointment with the tax adviser on June 4 | I have an appointment with the tax adviser on June 4 | The user's appointment with the tax adviser was moved to June 11 | my appointment with the tax adviser got moved to June 11
The user spends weekends in the cabin | we spend our weekends in the cabin | The user sold the cabin | we sold the cabin
The user is afraid of flying | I'm afraid of flying | The user is no longer afraid of flying | I'm over my fear of flying
The user's cat is missing | my cat is missing | The user's cat came back | my cat came back!!
The user's cleaner comes on Wednesdays | our cleaner comes on Wednesdays | The user's cleaner comes on Fridays now | the cleaner comes on Fridays now
The user is a PhD student | I'm doing my PhD | The user finished her PhD | I finished my PhD!!!
The user's grandmother lives in a care home | my grandmother lives in a care home | The user's grandmother passed away | my grandmother passed away last week
The user earns 18 euros an hour | I get 18 euros an hour | The user earns 21 euros an hour | my hourly wage is 21 euros now
The user has an electric scooter | I have an electric scooter | The user's electric scooter was stolen | my scooter got stolen
The user lives at home with her mum | I live at home with my mum | The user moved out into a shared flat | moved out of my mum's, I'm in a shared flat now
The user is a stay-at-home dad | I'm a stay-at-home dad | The user went back to work | I'm back at work since August
The user's cat is called Minka | my cat's called Minka | The user gave Minka away | had to give Minka away, allergies
The user works for the city council | I work for the city council | The user works for a charity | I work for a charity now
The user's twins are 3 | my twins are 3 | The user's twins are 4 | the twins turned 4
The user buys bread at Hofmann's bakery | I buy my bread at Hofmann's | The user bakes his own bread | I bake my own bread now
The user has a beard | I have a beard | The user shaved off his beard | shaved off my beard
The user rides a red bike | I ride a red bike | The user rides a black e-bike | I ride a black e-bike now
The user's printer is broken | my printer is broken | The user's printer has been repaired | printer's working again
The user is in a long-distance relationship | we're long-distance | The user and her partner moved in together | we moved in together!!
The user's band rehearses in a garage | my band rehearses in a garage | The user's band has a rehearsal room | we've got a proper rehearsal room now
The user goes to therapy | - | The user stopped going to therapy | I stopped going to therapy in March
The user's neighbours have a dog | my neighbours have a dog | The user's neighbours' dog died | the neighbours' dog died
The user's favourite coffee place is Bean There | my favourite coffee place is Bean There | The user's favourite coffee place is Nord | Nord is my favourite coffee place now, Bean There closed
The user spends 400 euros a month on groceries | I spend about 400 euros a month on groceries | The user spends 320 euros a month on groceries | got my grocery spending down to 320 a month
The main branch is called master | our main branch is called master | The main branch is called trunk | we renamed the main branch to trunk
The build takes 12 minutes | the build takes 12 minutes | The build takes 5 minutes | got the build down to 5 minutes
The CTO is Marta | Marta is our CTO | The CTO is Jens | Jens became CTO last week
The team has a daily standup | we have a daily standup | The team has a standup twice a week | we only do standups twice a week now
The backup runs at 2 am | the backup runs at 2 am | The backup runs at 4 am | moved the backup to 4 am
The staging URL is stage.acme.example | the staging URL is stage.acme.example | The staging URL is preview.acme.example | staging's at preview.acme.example now
The user's ticket PAY-99 is in progress | PAY-99 is in progress | Ticket PAY-99 is done | PAY-99 is done
Emre is on call this month | Emre is on call | Lotte is on call | Lotte took over on-call from Emre
The office is closed on Mondays | our office is closed on Mondays | The office is open on Mondays | the office is open on Mondays again
The product costs 49 euros | our product costs 49 euros | The product costs 59 euros | we raised the price of the product to 59 euros
The user is not allowed to eat sugar | - | The user may eat sugar again | I can eat sugar again
The user sleeps badly | - | The user sleeps well | sleeping much better since the new mattress
The user lives near his parents | I live near my parents | The user moved away from his parents to Sweden | we moved to Sweden, far from my parents
The user's shoe size is 42 | my shoe size is 42 | The user's shoe size is 43 | turns out my shoe size is 43
The user wants a dog | I want a dog | The user got a dog | we got a dog!
The user is planning a trip to Iceland | we're planning a trip to Iceland | The user cancelled the trip to Iceland | Iceland is off, too expensive
The user has a subscription to Disney+ | we have Disney+ | The user cancelled Disney+ | cancelled Disney+
The user's sister is married to Rob | my sister is married to Rob | The user's sister left Rob | my sister left Rob
The user's son plays handball | my son plays handball | The user's son switched to judo | my son switched from handball to judo
The user's daughter wants to be an astronaut | my daughter wants to be an astronaut | The user's daughter wants to be a vet | my daughter wants to be a vet now
The user is a night owl | I'm a night owl | The user became an early bird | I've become an early bird
The user lives on 20 Baker Street | my address is 20 Baker Street | The user's address is 7 Elm Road | new address: 7 Elm Road
The user does the night shift on weekends | I do the night shift on weekends | The user no longer works weekends | I don't work weekends anymore
The user's lawyer is Mr. Dahl | - | The user's lawyer is Ms. Okoro | Ms. Okoro is my lawyer now
The user is waiting for his residence permit | - | The user got his residence permit | got my residence permit
The user's watch is broken | my watch is broken | The user got his watch repaired | got my watch repaired
The user's dog is afraid of cars | my dog is afraid of cars | The user's dog isn't afraid of cars any more | my dog isn't afraid of cars any more
The user has a mortgage | I have a mortgage | The user paid off the mortgage | paid off the mortgage!
The user tutors maths | I tutor maths | The user stopped tutoring | stopped tutoring, no time
The user's favourite author is Murakami | my favourite author is Murakami | The user's favourite author is Ferrante | Ferrante has overtaken Murakami as my favourite author
`,
  true,
);
