/**
 * The topics that extraction assigns, each with what a fact of it weighs (1 to 10, 2.1) and the words
 * that tell it. The first that matches is taken, so what matters most stands first. A trailing "*"
 * stands for any ending, "_" for a space.
 */
const TOPICS = `
Health 10: allerg* anaphyla* epipen emergency suicid* intoleran* celiac coeliac
Health 9: diabet* asthma* epilep* cancer pregnan* medication* insulin diagnos* blood_type
  blood_group blood_pressure pacemaker prescri* disorder disease chronic surgery heart_condition
  depression anxiety adhd autis* migraine* wheelchair deaf blind doctor's_appointment
  doctor_appointment therap* dentist_appointment injur* hospitali* vaccin* physio* illness
  insomnia broken_leg
Legal 8: visa citizen* immigra* asylum divorc* custody lawsuit arrest* convict* probation
  bankrupt* passport green_card
Identity 8: user's_name_is user's_full_name goes_by birthday was_born born_in born_on pronouns
  nationality native_language religio* years_old turned*
Contact 7: phone_number email email_address emergency_contact home_address postal_address zip_code
Family 7: wife husband spouse married fianc* girlfriend boyfriend partner son sons daughter* child
  children kid kids mother mom mum father dad parents sister* brother* siblings twins grand* aunt
  uncle cousin* niece nephew family anniversary
Pets 5: dog dogs cat cats puppy kitten hamster parrot rabbit* pet pets retriever greyhound poodle
  labrador goldfish
Finance 6: salary budget mortgage rent savings invest* bank_account loan* pay pays paid debt
  pension stocks tax* invoice* insurance euros dollars
Food 6: vegan vegetarian pescatarian halal kosher gluten dairy lactose meat pork
Location 7: live lives lived living reside* relocat* based_in hometown apartment is_from
  originally_from moved_to moved_from
Project 6: deploy* api server* database repo* release* staging production sprint backend frontend
  codebase project* deadline migration kubernetes postgres* feature ci pipeline bug launch*
  roadmap stack cluster framework microservice* password terraform on-call
Work 7: work* job employ* company boss manager colleague* career office promot* engineer developer
  nurse teacher teaches designer lawyer accountant consultant photographer freelanc* startup
  intern* team retired founded ceo cto profession client* joined
Education 6: study studies studied studying university college school degree phd master's
  bachelor's graduat* major* thesis exam* course learn*
Schedule 5: meeting* appointment calendar schedule* standup wake_up wakes_up timezone every* daily
  weekly monthly weekdays closes_at opens_at
Travel 5: travel* trip* vacation holiday flight* fly flies flew visit* hotel airport airline
  window_seat* aisle_seat*
Language 5: speak speaks fluent* bilingual
Preference 5: prefer* favorite favourite like likes love loves enjoy* hate hates dislike*
  cannot_stand fan_of eat eats drink drinks cook* coffee tea food
Hobby 5: play plays hobby hobbies guitar piano run runs running marathon hik* climb* paint* read
  reads garden* gym yoga photograph* chess cycl* ski*
Possession 4: drive drives own owns bought car bike phone laptop house
`;
const OTHER = { topic: "General", importanceScore: 5 };

const MATCHERS = TOPICS.trim()
  .split(/\n(?! )/u)
  .map((entry) => {
    const [, topic = "", importance, words = ""] = /^(\w+) (\d+): (.+)$/su.exec(entry) ?? [];
    const pattern = words
      .split(/\s+/u)
      .join("|")
      .replaceAll("_", " ")
      .replaceAll("*", "[\\p{L}\\p{N}]*");
    return {
      topic: { topic, importanceScore: Number(importance) },
      pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "iu"),
    };
  });

/** Topic and importance of a fact, from its words. */
export function topicOf(fact: string): typeof OTHER {
  return MATCHERS.find(({ pattern }) => pattern.test(fact))?.topic ?? OTHER;
}
