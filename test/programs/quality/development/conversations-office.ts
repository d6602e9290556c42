import type { LabelledConversation } from "../conversations.ts";
import { named, spring, summer, typed } from "../label.ts";

/** Support tickets, work chats, developers with an assistant. */
export const OFFICE: readonly LabelledConversation[] = [
  spring(
    [
      "user: Hi, my router (serial WR-7719-B) drops the connection every evening around nine.",
      "assistant: Have you restarted it?",
      "user: Three times. I'm on the Fibre 250 tariff and my customer number is 4402917.",
      "user: A technician can come any weekday after 3pm.",
    ],
    [
      "The user's router drops the connection every evening around nine || The user's router (serial WR-7719-B) drops the connection every evening around nine",
      "The user is on the Fibre 250 tariff",
      "The user's customer number is 4402917",
      "A technician can come any weekday after 3pm || The technician can come any weekday after 3pm",
    ],
  ),
  summer(
    [
      "user: I've been charged twice for July. Please refund one payment to my card ending in 8834.",
      "assistant: I can see both payments. Done.",
      "user: Thank you. Also, my billing address has changed: Flat 3, 27 Harbour Row, Whangarei.",
      "user: I prefer to be contacted by email, not by phone.",
    ],
    [
      "The user was charged twice for July || The user has been charged twice for July",
      "The user's card ends in 8834 || The user's card is the one ending in 8834",
      "The user's billing address is Flat 3, 27 Harbour Row, Whangarei || The user's billing address has changed: Flat 3, 27 Harbour Row, Whangarei || The user's billing address has changed to Flat 3, 27 Harbour Row, Whangarei",
      "The user prefers to be contacted by email, not by phone",
    ],
  ),
  spring(
    [
      "user: the export button does nothing since monday. were on the enterprise plan, 120 users",
      "assistant: Which browser?",
      "user: firefox 137 on ubuntu. chrome works fine",
      "user: this blocks our payroll, the run is on friday",
    ],
    typed([
      "The export button does nothing since 2026-04-20 || The user's export button does nothing since 2026-04-20",
      "The user is on the Enterprise plan || The user is on the Enterprise plan, 120 users || The user is on the Enterprise plan with 120 users",
      "The user uses Firefox 137 on Ubuntu || The user is on Firefox 137 on Ubuntu || The user's browser is Firefox 137 on Ubuntu",
      "The run is on 2026-04-24 || The payroll run is on 2026-04-24 || The user's payroll run is on 2026-04-24",
    ]),
  ),
  summer([
    "user: Do you ship to Iceland?",
    "assistant: Yes, in five to seven days.",
    "user: And what does it cost?",
    "assistant: 19 euros.",
    "user: Too much for me, but thank you anyway.",
  ]),
  spring([
    "user: the app keeps asking me to rate it, how do i make it stop",
    "assistant: Settings, then Notifications, then Feedback.",
    "user: cant find it",
    "user: oh wait. there it is. ty!!",
  ]),
  summer(
    [
      "user: Please close the account of my late father, Bogdan Iliescu. The contract number is LV-20455.",
      "assistant: My condolences. Are you the executor?",
      "user: Yes, I am the executor. He passed away in May.",
      "user: Letters should go to my address from now on, not to his flat.",
    ],
    [
      "The contract number is LV-20455 || The user's father's contract number is LV-20455 || The contract number of the user's father is LV-20455",
      "The user is the executor",
      "The user's father passed away in May || Bogdan Iliescu passed away in May || The user's father Bogdan Iliescu passed away in May || The user's late father passed away in May || The user's late father Bogdan Iliescu passed away in May || The user's father passed away in 2026-05",
      "Letters should go to the user's address from now on, not to his flat || Letters should go to the user's address, not to his flat || Letters should go to the user's address from now on",
    ],
  ),
  spring(
    [
      "user: Heads up: I'm taking over the Falkner account from Imogen next week.",
      "assistant: Anything I should know?",
      "user: Their contact is Rosalind Achebe, she only answers before ten. They pay net 45.",
      "user: Imogen goes on parental leave, she'll be back in February.",
    ],
    [
      "The user is taking over the Falkner account from Imogen in the week of 2026-04-27 || The user takes over the Falkner account from Imogen in the week of 2026-04-27",
      "The contact at Falkner is Rosalind Achebe || Falkner's contact is Rosalind Achebe || Their contact is Rosalind Achebe || The Falkner contact is Rosalind Achebe",
      "Rosalind Achebe only answers before ten || Rosalind only answers before ten || Their contact only answers before ten || Falkner's contact only answers before ten",
      "Falkner pays net 45 || Falkner pay net 45 || The Falkner account pays net 45",
      "Imogen goes on parental leave || Imogen is going on parental leave",
      "Imogen will be back in February || Imogen will be back in 2027-02 || Imogen is back in February",
    ],
  ),
  summer(
    [
      "user: retro notes: we keep the daily at 9:45, we drop story points",
      "assistant: Got it. Anything on roles?",
      "user: tariq is the new scrum master, svetlana moves to the data team in september",
      "user: and we may try mob programming, no decision yet",
    ],
    typed([
      "The user keeps the daily at 9:45 || The team keeps the daily at 9:45 || The daily is at 9:45 || The user's team keeps the daily at 9:45",
      "The user drops story points || The team drops story points || The user's team drops story points || The user dropped story points",
      "Tariq is the new scrum master || Tariq is the scrum master",
      "Svetlana moves to the data team in September || Svetlana moves to the data team in 2026-09",
    ]),
  ),
  spring(
    [
      "user: The board approved the Rotterdam depot yesterday; the budget is 2.4 million euros.",
      "assistant: Shall I add it to the minutes?",
      "user: Please. Construction starts in June and Anneliese is the project manager.",
      "user: The minutes must always be in British English, our chairman insists.",
    ],
    [
      "The board approved the Rotterdam depot on 2026-04-20 || The user's board approved the Rotterdam depot on 2026-04-20",
      "The budget is 2.4 million euros || The Rotterdam depot's budget is 2.4 million euros || The budget of the Rotterdam depot is 2.4 million euros || The user's budget is 2.4 million euros",
      "Construction starts in June || Construction of the Rotterdam depot starts in June || Construction starts in 2026-06",
      "Anneliese is the project manager || Anneliese is the project manager of the Rotterdam depot",
      "The minutes must always be in British English || The user's minutes must always be in British English",
    ],
  ),
  summer(
    [
      "user: I report to two people now: Oksana for budget and Lamar for staffing.",
      "assistant: That's quite a setup.",
      "user: Tell me about it. My old boss, Winifred, left in June. I don't have access to the finance drive yet.",
    ],
    [
      "The user reports to two people: Oksana for budget and Lamar for staffing || The user reports to two people now: Oksana for budget and Lamar for staffing || The user reports to Oksana for budget and Lamar for staffing",
      "The user's old boss, Winifred, left in June || The user's old boss left in June || The user's old boss Winifred left in June || Winifred left in June || The user's old boss Winifred left in 2026-06",
      "The user does not have access to the finance drive || The user does not have access to the finance drive yet",
    ],
  ),
  spring([
    "user: is the coffee machine on 3 still broken",
    "assistant: I have no way to know, sorry.",
    "user: figures. guess ill die",
    "user: kidding. back to the slides",
  ]),
  summer([
    "user: Should we say 'kick off' or 'kick-off' as a noun?",
    "assistant: 'Kick-off' with a hyphen.",
    "user: And 'follow up'?",
    "assistant: 'Follow-up' as a noun as well.",
    "user: English is wild.",
  ]),
  spring(
    [
      "user: I'm Emeka, I maintain the parser of the Quillon compiler.",
      "assistant: Hi Emeka. What are we working on?",
      "user: The lexer. We target OCaml 5.2, and tests run with dune test.",
      "user: Don't add dependencies without asking me. I like small functions with early returns.",
    ],
    named("Emeka", [
      "The user maintains the parser of the Quillon compiler",
      "The user targets OCaml 5.2",
      "Tests run with dune test || The user's tests run with dune test",
      "The user does not want dependencies added without asking || Do not add dependencies without asking the user || The user does not want dependencies added without asking the user || The user does not want dependencies to be added without asking them",
      "The user likes small functions with early returns || The user prefers small functions with early returns",
    ]),
  ),
  summer(
    [
      "user: getting 'permission denied' when i push to origin",
      "assistant: Is your SSH key loaded?",
      "user: yep. oh i see, i changed my github name to mossbyte last month",
      "user: our repo is at git.lindenhall.example/payments btw, not on github anymore",
    ],
    typed([
      "The user changed their GitHub name to mossbyte in 2026-06 || The user changed the user's GitHub name to mossbyte in 2026-06 || The user's GitHub name is mossbyte",
      "The user's repo is at git.lindenhall.example/payments || The user's repo is at git.lindenhall.example/payments, not on GitHub anymore || The repo is at git.lindenhall.example/payments",
    ]),
  ),
  spring(
    [
      "user: Before you touch the schema: every table has a tenant_id column and we never delete rows.",
      "assistant: Understood, soft deletes only.",
      "user: Right. Migrations go into db/changes, and Yaw reviews all of them.",
      "user: We're moving from Oracle to MariaDB by the end of the year.",
    ],
    [
      "Every table has a tenant_id column || The user's every table has a tenant_id column",
      "The user never deletes rows || The team never deletes rows",
      "Migrations go into db/changes || The user's migrations go into db/changes",
      "Yaw reviews all migrations || Yaw reviews all of them || Yaw reviews all the migrations",
      "The user is moving from Oracle to MariaDB by the end of the year || The user is moving from Oracle to MariaDB by the end of 2026",
    ],
  ),
  summer([
    'user: What does this mean?\nERROR relation "orders" does not exist\nHINT: I am running as user app and my schema is public',
    "assistant: The table is missing from the search path.",
    "user: so how do i change the search path",
  ]),
  spring([
    "user: convert 0xFF to decimal",
    "assistant: 255.",
    "user: and in binary?",
    "assistant: 11111111.",
    "user: nice, exactly what i needed",
  ]),
  summer(
    [
      "user: we settled it: the gateway gets rewritten in elixir, zig was too risky",
      "assistant: Who will own that?",
      "user: me and farrukh. the old go service stays up until march",
      "user: what if the traffic doubled, would one node be enough?",
    ],
    typed([
      "The gateway gets rewritten in Elixir || The user's gateway gets rewritten in Elixir || The gateway is being rewritten in Elixir || The gateway will be rewritten in Elixir",
      "The user and Farrukh own the gateway || The user and Farrukh own the rewrite || The user and Farrukh own the gateway rewrite",
      "The old Go service stays up until March || The user's old Go service stays up until March || The old Go service stays up until 2027-03",
    ]),
  ),
  spring(
    [
      "user: use 4 spaces in this project, and write comments in english even tho i talk to u in slang lol",
      "assistant: Will do.",
      "user: my editor is helix. i work on an m2 macbook with 16 gb",
      "user: now show me the diff",
    ],
    typed([
      "The user wants 4 spaces in this project || The user wants 4 spaces used in this project || Use 4 spaces in this project || The user uses 4 spaces in this project",
      "The user wants comments in English || The user wants comments written in English || Write comments in English",
      "The user's editor is Helix",
      "The user works on an M2 MacBook with 16 GB",
    ]),
  ),
];
