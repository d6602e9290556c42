/** A conversation of which an extractor that reads English alone can read only a part, or nothing. */
export interface OtherLanguageConversation {
  readonly language: string;
  /** RFC 3339. */
  readonly at: string;
  /** "role: text", oldest first. */
  readonly messages: readonly string[];
  /** Positions, from 0, of the user's messages that such an extractor can not read. */
  readonly unreadable: readonly number[];
}

const AT = "2026-10-15T16:30:00Z";

/** In each, the user states something worth remembering in the other language. */
export const OTHER_LANGUAGES: readonly OtherLanguageConversation[] = [
  {
    language: "German",
    at: AT,
    messages: [
      "user: Guten Tag, ich heiße Annegret und wohne seit drei Jahren in Kassel.",
      "assistant: Freut mich, Annegret!",
      "user: Mein Mann arbeitet als Schreiner, und wir haben zwei Töchter.",
    ],
    unreadable: [0, 2],
  },
  {
    language: "Japanese",
    at: AT,
    messages: [
      "user: はじめまして。仙台に住んでいる美咲です。",
      "assistant: はじめまして、美咲さん。",
      "user: 来週から新しい会社で働きます。コーヒーは飲みません。",
    ],
    unreadable: [0, 2],
  },
  {
    language: "French",
    at: AT,
    messages: [
      "user: Bonjour, je m'appelle Clémence et je suis institutrice à Nantes.",
      "assistant: Enchanté, Clémence !",
      "user: Je ne mange pas de fromage et je préfère voyager en train.",
      "user: Merci beaucoup !",
    ],
    unreadable: [0, 2, 3],
  },
  {
    language: "Spanish",
    at: AT,
    messages: [
      "user: Hola, soy Rodrigo. Trabajo en una librería de Sevilla.",
      "assistant: ¡Hola, Rodrigo!",
      "user: Mi hermana se muda a Bogotá en enero.",
    ],
    unreadable: [0, 2],
  },
  {
    language: "Polish",
    at: AT,
    messages: [
      "user: Dzień dobry, mam na imię Zofia i mieszkam w Gdańsku.",
      "assistant: Miło mi, Zofio.",
      "user: Pracuję jako księgowa, a w piątki nigdy nie umawiam spotkań.",
    ],
    unreadable: [0, 2],
  },
  {
    language: "Chinese",
    at: AT,
    messages: [
      "user: 你好，我叫李雪，住在成都。",
      "assistant: 你好，李雪！",
      "user: 我有一只叫豆豆的猫，我不喜欢吃香菜。",
    ],
    unreadable: [0, 2],
  },
  {
    language: "German and English, by message",
    at: AT,
    messages: [
      "user: Hi, I work as a gardener in Bregenz.",
      "assistant: Nice! Was pflanzt du am liebsten?",
      "user: Am liebsten pflanze ich Rosen, und im Winter fahre ich jeden Samstag Ski.",
      "user: My sister helps me on weekends.",
    ],
    unreadable: [2],
  },
  {
    language: "German and English, by message",
    at: AT,
    messages: [
      "user: Kannst du bitte auf Englisch antworten? Mein Kollege liest mit.",
      "assistant: Of course.",
      "user: Our launch is on December 3.",
      "user: Und der Kunde heißt Brunnhuber, er sitzt in Passau.",
    ],
    unreadable: [0, 3],
  },
];
