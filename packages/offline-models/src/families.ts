/**
 * Names of which one takes the place of another, by what they are names of: who switched
 * to a Pixel has no iPhone in the pocket any more.
 */
export const FAMILIES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    phone:
      "phone smartphone iphone pixel galaxy android fairphone nokia motorola oneplus xiaomi huawei oppo blackberry handset",
    laptop:
      "laptop macbook thinkpad chromebook zenbook xps latitude ideapad framework-laptop surface notebook imac",
    tablet: "tablet ipad",
    watch: "smartwatch garmin fitbit casio",
    camera: "camera nikon canon fujifilm leica olympus gopro",
    console: "console playstation ps4 ps5 xbox switch-console nintendo",
    car: `car tesla toyota honda ford bmw audi volvo volkswagen vw mercedes porsche subaru nissan hyundai kia mazda prius fiat
      renault skoda škoda seat citroen citroën peugeot opel vauxhall dacia jeep chevrolet chevy civic corolla golf polo passat
      fiesta focus yaris clio twingo corsa astra aygo panda berlingo octavia fabia lexus mini jaguar saab suzuki mitsubishi cupra polestar
      camper van minivan hatchback suv sedan estate cabrio rav4 leaf zoe ioniq camry accord beetle kangoo`,
    bicycle: "e-bike ebike bicycle roadbike trek brompton canyon specialized giant-bike gazelle",
    os: "windows linux macos ubuntu debian fedora arch mint nixos chromeos",
    browser: "chrome firefox safari edge brave opera vivaldi arc",
    editor: "vim neovim emacs vscode intellij sublime zed webstorm pycharm cursor helix notepad++",
    programming:
      "python java javascript typescript rust golang go ruby kotlin swift scala php haskell elixir clojure perl c# c++",
    framework:
      "react vue angular svelte django rails flask nextjs next.js remix laravel spring express fastapi solid nuxt ember",
    bundler: "webpack vite rollup esbuild parcel turbopack grunt gulp",
    package: "npm yarn pnpm",
    styling: "tailwind bootstrap sass less",
    store: "redux zustand mobx recoil vuex pinia",
    testing: "jest vitest mocha jasmine cypress playwright selenium pytest unittest rspec",
    api: "rest graphql soap grpc xml-rpc trpc",
    database:
      "postgres postgresql mysql mariadb mongodb mongo sqlite oracle cassandra dynamodb cockroachdb firestore supabase couchdb",
    queue: "kafka rabbitmq sqs nats activemq pulsar",
    search: "elasticsearch opensearch solr meilisearch algolia typesense",
    cloud:
      "aws gcp azure heroku vercel netlify cloudflare digitalocean hetzner fly.io render linode ovh railway on-prem",
    cluster: "kubernetes nomad swarm ecs",
    ci: "jenkins buildkite circleci travis teamcity",
    forge: "github gitlab bitbucket gitea codeberg sourcehut",
    tracker: "jira linear asana trello clickup basecamp shortcut redmine youtrack",
    monitoring: "datadog grafana newrelic dynatrace honeycomb prometheus",
    chat: "slack teams discord mattermost zulip whatsapp telegram signal",
    calls: "zoom skype webex jitsi",
    notes: "evernote obsidian notion onenote roam logseq bear joplin",
    tasks: "todoist things ticktick omnifocus",
    mail: "gmail outlook protonmail proton fastmail thunderbird hotmail",
    passwords: "1password bitwarden lastpass dashlane keepass keepassxc",
    design: "figma sketch xd canva penpot",
    accounting: "quickbooks xero datev lexoffice freshbooks",
    music: "spotify tidal deezer qobuz",
    video: "netflix disney+ hulu hbo",
    bank: `bank sparkasse ing dkb n26 monzo revolut lloyds hsbc barclays natwest santander chase commerzbank volksbank starling
      postbank bbva unicredit wise nubank triodos`,
    carrier: "vodafone o2 telekom t-mobile verizon at&t ee three orange movistar swisscom telstra",
    shop: "aldi lidl rewe edeka tesco sainsbury's waitrose asda kroger walmart costco mercadona carrefour",
    payment: "stripe adyen paypal braintree mollie",
    assistant: "gemini chatgpt claude copilot llama mistral",
    transport: `bus train tram metro subway tube underground car bike bicycle e-bike scooter moped ferry foot motorbike
      motorcycle vespa s-bahn u-bahn carpool taxi`,
    drink: "coffee tea espresso decaf matcha beer wine juice water cola kombucha mate",
    milk: "oat-milk soy-milk almond-milk",
    sport: `soccer football basketball tennis padel squash volleyball handball hockey rugby cricket swimming running jogging
      cycling climbing bouldering skiing yoga pilates boxing crossfit badminton judo karate fencing rowing golf dancing zumba`,
    instrument:
      "guitar piano violin viola cello drums saxophone trumpet flute ukulele bass clarinet accordion banjo harp oboe",
    workmode: "remote remotely hybrid on-site onsite",
    shift: "day-shift night-shift early-shift late-shift morning-shift evening-shift",
    school: "kindergarten preschool nursery daycare school university college",
    eyewear: "glasses spectacles lenses contacts",
    bed: "bed futon mattress bunk hammock",
    hours: "full-time part-time fulltime parttime",
  }).map(([family, words]) => [family, words.split(/\s+/u)] as const),
);

/** Of these a person may have, like or play several: only who says that they switched has one less. */
export const HELD_TOGETHER: ReadonlySet<string> = new Set([
  "drink",
  "sport",
  "instrument",
  "camera",
  "console",
  "tablet",
  "watch",
  "chat",
  "calls",
  "video",
  "music",
  "programming",
  "shop",
  "assistant",
  "bicycle",
]);

const FAMILIES_OF_WORD: ReadonlyMap<string, readonly string[]> = new Map(
  [...FAMILIES].reduce((words, [family, listed]) => {
    for (const word of listed) words.set(word, [...(words.get(word) ?? []), family]);
    return words;
  }, new Map<string, string[]>()),
);

/** Names that are words of everyday too: only capitals tell them. */
const EVERYDAY_WORDS: ReadonlySet<string> = new Set(
  `pixel galaxy surface latitude framework switch focus seat golf polo leaf accord mini beetle jaguar fiesta passat arc edge
  brave opera safari chrome cursor helix go rust swift ruby python java solid express spring remix rest soap render railway
  linear shortcut signal slack teams bear things proton xd wise chase three orange ee ring native mint arch solid jest mate
  rollup grunt gulp less sass store bootstrap ember canon leica specialized trek gazelle canva sketch notion zoom tidal starling
  cursor sublime explorer oracle camper estate golf`.split(/\s+/u),
);

/** The families of the first name in a text, and the name; none: no name is known. */
export function familiesIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}.+#&'-]*/gu)) {
    const name = word.toLowerCase().replace(/[.'-]+$/u, "");
    if (EVERYDAY_WORDS.has(name) && /^\p{Ll}/u.test(word)) continue;
    for (const family of FAMILIES_OF_WORD.get(name) ?? []) {
      if (!found.has(family)) found.set(family, name);
    }
  }
  return found;
}
