/** What facts are about. Other words make other vectors, which are those of another model. */

/**
 * Words that ask for or name a concept itself. A question and the fact that answers
 * it often share nothing else. "=" before a word: that form only ("called", not "call"). Where no
 * words follow, it is named by its own.
 */
export const SYNONYMS = byName(`
  home: live lives living lived reside resides residing residence residency home hometown relocate relocated
    relocating relocation based dwell settle settled move moved moving
  work: work works working worked job jobs employ employs employed employer employment career profession occupation
    workplace hired hire joined joining company
  liking: like likes liked love loves loved enjoy enjoys enjoyed prefer prefers preferred preference favorite
    favorites favourite favourites fond adore adores fan
  disliking: dislike dislikes disliked hate hates hated loathe despise detest avoid avoids
  allergy: allergy allergies allergic allergen allergens intolerant intolerance anaphylaxis anaphylactic epipen
  spouse: spouse partner married marry marries marriage wed wedding
  child: child children kid kids baby toddler
  mother: mother mom mum mama
  father: father dad papa
  dog: dog dogs puppy
  decision: decide decides decided decision choose chooses chose chosen pick picked opted
  cat: cat cats kitten
  family: family relative relatives
  vehicle: car cars vehicle vehicles automobile drive drives driving drove truck suv van motorbike motorcycle
  pet: pet pets animal animals
  eating: eat eats eating ate food foods diet dietary meal meals dish dishes cuisine dinner lunch breakfast snack
    restaurant
  drinking: drink drinks drinking drank beverage beverages
  phone: phone telephone cellphone mobile
  email: email emails mail e-mail
  birth: birthday birthdate birth born
  age: age aged old
  schooling: school university college study studies studied studying student degree graduate graduated graduation
    major majored education alumni
  language: language languages speak speaks spoke fluent fluently bilingual native
  medicine: medicine medicines medication medications pill pills prescription prescribed drug drugs dose dosage
  illness: ill illness sick sickness disease condition diagnosis diagnosed disorder suffer suffers
  income: salary salaries income wage wages earn earns earned paycheck
  price: price prices priced cost costs fee fees charge charges rate
  meeting: meeting meetings meet meets appointment appointments standup sync
  deadline: deadline deadlines due
  beginning: start starts started begin begins began kickoff
  ending: end ends ended finish finishes finished
  buying: buy buys bought purchase purchases purchased
  travel: travel travels travelled traveled trip trips vacation vacations holiday holidays visit visits visited flight
    fly flew journey tour
  hobby: hobby hobbies pastime interest interests leisure spare free
  manager: manager boss supervisor managed reports lead leads leader
  name: name names named =called nickname codename rename renamed
  role: role title position
  friend: friend friends buddy pal
  colleague: colleague colleagues coworker coworkers teammate teammates
  sport: sport sports exercise exercises workout train trains training gym
  music: music song songs band bands musician genre
  instrument: instrument instruments play plays
  reading: read reads reading book books novel author
  film: movie movies film films cinema show shows series
  computer: computer laptop desktop macbook notebook pc thinkpad
  money: money budget funds funding spend spends afford
  waking: wake wakes woke awake
  mode: mode theme
  scheduling: schedule schedules scheduled reschedule rescheduled postpone postponed delay delayed planned
  test: pass passes passing fail fails failing failed
  place: place city town country location located where
  hosting: host hosts hosted hosting deploy deploys deployed deployment
  color: color colors colour colours
  size: size sizes
  height: tall height
  weight: weigh weighs weight heavy
  database: database databases db datastore
  editor: editor ide
  password: password passcode pin passphrase
  subscription: subscription subscribe subscribes subscribed plan tier upgrade upgraded downgrade downgraded
  shipping: ship ships shipped release releases released launch launches launched
  son: daughter: parent: sibling: grandparent: breed: browser: os: cloud: framework:
`);

/**
 * Words whose mention implies a concept: "Berlin" implies a place. The names are
 * kinds: two members of one kind can be two values of one attribute. Behind "=" stand the
 * concepts that a kind implies, where they bear other names.
 */
export const KINDS = byName(`
  city=place: berlin munich hamburg cologne frankfurt stuttgart leipzig dresden vienna zurich geneva basel paris lyon
    marseille london manchester bristol leeds dublin cork edinburgh glasgow madrid barcelona valencia seville lisbon
    porto rome milan naples turin florence venice athens amsterdam rotterdam utrecht brussels antwerp copenhagen
    aarhus oslo bergen stockholm gothenburg helsinki tallinn riga vilnius warsaw krakow prague brno budapest bucharest
    sofia belgrade zagreb istanbul ankara moscow kyiv tokyo osaka kyoto seoul busan beijing shanghai shenzhen hongkong
    taipei singapore bangkok jakarta manila hanoi delhi mumbai bangalore bengaluru chennai dubai cairo nairobi lagos
    accra johannesburg sydney melbourne brisbane perth adelaide auckland wellington toronto montreal vancouver ottawa
    calgary boston chicago seattle portland denver austin houston dallas miami atlanta philadelphia detroit phoenix
    pittsburgh nashville francisco angeles diego brooklyn manhattan york washington lima bogota santiago
  country=place: germany austria switzerland france england scotland wales ireland spain portugal italy greece netherlands
    belgium denmark norway sweden finland iceland poland hungary romania croatia serbia turkey russia ukraine japan
    korea china taiwan india thailand vietnam indonesia malaysia philippines australia canada mexico brazil argentina
    chile peru colombia egypt kenya nigeria morocco usa america uk europe asia africa california texas florida oregon
    bavaria
  spot=place: street avenue road apartment house flat village suburb downtown office floor building
  title=work: engineer developer programmer designer architect nurse doctor physician surgeon dentist teacher professor
    lecturer lawyer attorney accountant consultant analyst scientist researcher journalist writer editor chef waiter
    waitress barista pilot mechanic electrician plumber carpenter farmer soldier librarian pharmacist psychologist
    therapist salesperson marketer recruiter secretary assistant intern founder entrepreneur freelancer ceo cto cfo
    coo vp director president chairman officer administrator technician photographer actor firefighter paramedic
    veterinarian banker broker realtor employee contractor student volunteer admin viewer member moderator guest
    manager lead head chief principal supervisor coordinator specialist translator tutor coach
  color: red blue green yellow orange purple pink black white brown gray grey teal turquoise violet indigo maroon navy
    beige gold silver magenta cyan
  animal=pet: dog dogs cat cats puppy kitten hamster rabbit parrot goldfish turtle horse lizard snake
  breed=breed,dog,pet: greyhound retriever poodle labrador beagle terrier dachshund husky corgi spaniel bulldog chihuahua collie
  diet=eating: vegan vegetarian pescatarian omnivore carnivore keto kosher halal paleo
  cuisine=eating: pizza pasta sushi ramen noodles rice bread cheese chocolate cake salad soup steak burger taco tacos curry
    fish shellfish shrimp seafood peanut peanuts nuts almonds egg eggs meat chicken beef pork bacon fruit apple banana
    mango lasagna strawberries vegetable vegetables cilantro mushrooms olives garlic onion spicy gluten dairy lactose
    dessert
  beverage=drinking: coffee tea espresso latte cappuccino beer wine whiskey vodka juice water soda cola lemonade milk smoothie
    matcha
  brand=vehicle: tesla toyota honda ford bmw audi volvo volkswagen mercedes porsche subaru nissan hyundai kia mazda prius fiat
    renault
  bike=vehicle: bike bicycle scooter
  language: english german french spanish italian portuguese dutch swedish norwegian danish finnish polish russian
    ukrainian turkish arabic hebrew hindi chinese mandarin cantonese japanese korean vietnamese thai greek latin
  sport: soccer football basketball tennis baseball volleyball hockey golf rugby cricket swimming swim running jogging
    cycling climbing bouldering skiing snowboarding surfing yoga pilates boxing marathon hiking crossfit badminton
  hobby: painting drawing photography gardening knitting pottery chess gaming hiking climbing cooking baking
    woodworking dancing singing birdwatching origami crochet sewing camping fishing sailing
  instrument: guitar piano violin cello drums saxophone trumpet flute ukulele bass clarinet keyboard
  music: jazz rock classical techno punk blues hiphop reggae opera metal folk
  weekday=time: monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
    saturdays sundays weekend weekday
  month=time: january february march april june july august september october november december
  wife=spouse,family: wife husband girlfriend boyfriend fiance fiancee
  sibling=sibling,family: sister sisters brother brothers twin
  mother=parent,family: mother mom mum mama father dad papa
  child=child,family: son sons daughter daughters
  relative=family: aunt uncle cousin grandmother grandfather grandma grandpa niece nephew
  illness: asthma diabetes diabetic epilepsy migraine migraines cancer depression anxiety adhd celiac hypertension
    arthritis insomnia
  medicine: insulin ibuprofen aspirin metformin antibiotics inhaler lisinopril paracetamol penicillin
  cloud=hosting: aws gcp azure heroku vercel netlify cloudflare digitalocean
  database: postgres postgresql mysql mariadb mongodb sqlite redis oracle cassandra dynamodb
  programming=programming,language: python java javascript typescript rust golang ruby kotlin swift scala php haskell elixir clojure
    programming
  framework: react vue angular svelte django rails flask nextjs
  channel: email phone call calls sms text texts slack teams whatsapp telegram signal zoom
  stage: production staging development prod dev
  tracker: jira linear asana trello clickup monday.com
  ci: jenkins buildkite circleci travis teamcity
  forge: github gitlab bitbucket
  payment: stripe adyen paypal braintree
  airline: lufthansa klm ryanair easyjet emirates delta qantas
  assistant: gemini gpt chatgpt claude copilot llama
  length: short long brief detailed concise verbose
  os: windows macos linux ubuntu debian fedora ios android chromeos
  editor: vim neovim emacs vscode intellij sublime
  browser: chrome firefox safari edge brave
  handset=phone: iphone pixel galaxy
  daypart=time: morning mornings afternoon afternoons evening evenings night nights
  marital: single married engaged divorced widowed separated
  state: open closed active inactive enabled disabled available unavailable online offline up down done finished
    pending blocked approved rejected paused passing failing healthy unhealthy delayed track hold cancelled canceled
    on off public private
`);

/** Reads lists of words, each behind its name and a colon. */
function byName(lists: string): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, string[]>();
  let listed: string[] = [];
  for (const word of lists.trim().split(/\s+/u)) {
    if (word.endsWith(":")) {
      listed = [];
      words.set(word.slice(0, -1), listed);
    } else listed.push(word);
  }
  return words;
}
