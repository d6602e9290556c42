/**
 * How people speak of themselves, by language: the speaker, what says "now", "not" and "no
 * longer", words that are no part of an object, articles, "my … is …", and what asks to forget
 * what follows. Each further line is a verb in English, its forms, and what may stand before
 * its object.
 */
export const TONGUES = String.raw`
# German
speaker: (?:ich|wir)[ ]
now: jetzt|nun|mittlerweile|inzwischen|wieder|seit \p{L}+
not: \b(?:nicht|keine?[nrm]?)\b
no longer: \b(?:nicht|keine?[nrm]?)\b.*\bmehr\b
particles: nicht|keine?[nrm]?|mehr|auch|gerne?|sehr
articles: der|die|das|den|dem|eine?[nrm]?|meine?[nrm]?|unsere?[nrm]?|im
mine: meine?|unsere? / ist|lautet
forget: (?:vergiss|vergesst|vergessen sie|streiche?|lösche?|ignoriere?|entferne?)(?: bitte)?,? ?(?:bitte,? )?(?:dass |das mit |die sache mit )?|(?:bitte )?(?:nicht mehr merken|merk dir nicht(?: mehr)?),? dass[ ]
live in: wohne|wohnen|lebe|leben / in
work at: arbeite|arbeiten / bei|für|in|an|als
drive a: fahre|fahren
play: spiele|spielen
eat: esse|essen
drink: trinke|trinken
like: mag|liebe|mögen
have a: habe|haben
speak: spreche
am learning: lerne
am from: komme / aus
# French
speaker: (?:je |j'|on |nous )(?:ne |n')?
now: maintenant|désormais|à présent|de nouveau
not: \bpas\b
no longer: \bplus\b
particles: pas|plus|aussi|beaucoup|bien
articles: les|le|la|l'|un|une|des|du|de|d'|mon|ma|mes|notre
mine: mon|ma|notre / est|c'est
forget: (?:oublie|oubliez|efface|supprime|ignore|enlève|retire)(?: (?:s'il te plaît|stp))?,? (?:que |qu'|ce que j'ai dit (?:sur|de) )?
live in: habite|habitons|vis|vit / à|en|au|aux
work at: travaille / chez|à|pour|dans|au
drive a: conduis|roule / en
quit: ai arrêté|avons arrêté / le|la|l'|les
play: joue / du|de la|au|à la|aux|de l'
eat: mange / du|de la|des|de
drink: bois / du|de la|de l'|des|d'|de
like: aime|adore
have a: ai|avons
speak: parle
am learning: apprends
am from: viens / de|d'
# Spanish
speaker: (?:yo |nosotros )?(?:ya no |no )?
now: ahora|desde \p{L}+|otra vez|de nuevo
not: ^(?:yo |nosotros )?no\b
no longer: \bya no\b
particles: también|mucho
articles: el|la|los|las|un|una|mi|mis|nuestro|nuestra
mine: mi|nuestro|nuestra / es
forget: (?:olvida|olvídate|olvide|borra|elimina|ignora|quita)(?: (?:por favor|de))?,? (?:que |lo de )?
live in: vivo|vivimos / en
work at: trabajo|trabajamos / en|para|de
drive a: conduzco
quit: dejé|he dejado|dejamos / el|la
play: juego|toco / al|a la|el|la
eat: como|comemos
drink: bebo|tomo
have a: tengo|tenemos
speak: hablo
am learning: estudio|aprendo
am from: soy / de
# Italian
speaker: (?:io |noi )?(?:non )?
now: adesso|ora|di nuovo
not: \bnon\b
no longer: \bnon\b.*\bpiù\b
particles: più|anche|molto
articles: il|lo|la|i|gli|le|un|uno|una|l'|mio|mia
mine: (?:il mio|la mia|mio|mia) / è
forget: (?:dimentica|cancella|elimina|ignora)(?: per favore)?,? (?:che )?
live in: vivo|abito|viviamo|abitiamo / a|in
work at: lavoro / per|da|alla|in|come
drive a: guido
play: gioco|suono / a|il|la
eat: mangio
drink: bevo
have a: ho|abbiamo
speak: parlo
am learning: studio|imparo
# Dutch
speaker: (?:ik|we|wij)[ ]
now: nu|sinds kort|inmiddels|weer
not: \b(?:niet|geen)\b
no longer: \b(?:niet|geen)\b.*\bmeer\b
particles: niet|geen|meer|ook|graag
articles: de|het|een|mijn|onze|ons
mine: mijn|onze|ons / is
forget: (?:vergeet|verwijder|negeer|wis)(?: alsjeblieft)?,? (?:dat )?
live in: woon|wonen / in
work at: werk|werken / bij|voor|in
drive a: rijd|rij / in
play: speel
eat: eet
drink: drink
have a: heb|hebben
speak: spreek
am learning: leer
`;

/** What happened, which no verb of the present tells: in English, and how it is said. */
export const EVENTS = String.raw`
I moved to $<name>: (?:ich bin|wir sind) .{0,30}?(?:nach|in die|in den) <name> (?:um)?gezogen
I started working at $<name>: ich habe .{0,30}?bei (?:der |dem )?<name> angefangen
I left $<name>: ich habe bei (?:der |dem )?<name> (?:gekündigt|aufgehört)
I left my job: ich habe (?:meinen job |meine stelle |.{0,12})?gekündigt|ich arbeite nicht mehr$|mir wurde gekündigt|ich bin (?:jetzt )?in rente
I quit smoking: ich rauche nicht mehr|ich habe (?:mit dem rauchen aufgehört|aufgehört zu rauchen)
I quit alcohol: ich trinke (?:keinen alkohol|nicht) mehr
I drink my coffee black now: ich trinke meinen kaffee (?:\p{L}+ )?schwarz
I am vegetarian: ich esse (?:jetzt |mittlerweile )?(?:kein fleisch mehr|vegetarisch)|ich bin (?:jetzt |nun |mittlerweile |seit \p{L}+ )?vegetarier(?:in)?
I am vegan: ich bin (?:jetzt |nun |mittlerweile |seit \p{L}+ )?veganer(?:in)?|ich (?:lebe|esse) (?:jetzt |nun |mittlerweile )?vegan
I eat meat again: ich esse (?:jetzt |mittlerweile )?wieder fleisch
I got married: (?:wir|ich) haben? (?:\p{L}+ ){0,3}geheiratet
we broke up: wir haben uns (?:\p{L}+ ){0,2}getrennt
I moved to $<name>: (?:on a|nous avons|j'ai) (?:\p{L}+ ){0,2}?(?:déménagé|emménagé) (?:à|en|au|aux|sur) <name>
I started working at $<name>: j'ai commencé (?:\p{L}+ ){0,2}?chez <name>
I left $<name>: (?:j'ai (?:quitté|démissionné de)) <name>
I left my job: j'ai démissionné|je ne travaille plus$|j'ai quitté mon (?:travail|boulot|emploi|poste)|je suis (?:\p{L}+ )?à la retraite
I quit smoking: je (?:ne )?fume plus|j'ai arrêté (?:de fumer|la cigarette)
I quit alcohol: je (?:ne )?bois plus(?: d'alcool)?$|j'ai arrêté (?:de boire|l'alcool)
I am vegetarian: je suis (?:devenue?|maintenant)? ?végétarien(?:ne)?
I eat meat again: je (?:re)?mange (?:de nouveau |à nouveau )de la viande|je remange de la viande
I got married: (?:on|nous) (?:s'est|nous sommes) (?:\p{L}+ )?mariée?s|je me suis mariée?
we broke up: (?:on|nous) (?:s'est|nous sommes) séparée?s
I moved to $<name>: (?:me mudé|nos mudamos|me he mudado|nos hemos mudado) .{0,20}?(?:a|para) <name>
I work at $<name> now: (?:he empezado|empecé(?: a trabajar)?) (?:en|para) <name>
I left $<name>: (?:dejé|he dejado) <name>
I left my job: ya no trabajo(?! (?:en|para) \p{Lu})|(?:dejé|he dejado) (?:el|mi) trabajo|me (?:jubilé|he jubilado)|me (?:despidieron|han despedido)
I quit smoking: ya no fumo|(?:dejé|he dejado) de fumar
I quit alcohol: ya no bebo$|(?:dejé|he dejado) (?:de beber|el alcohol)
I am vegetarian: (?:ahora |me hice |soy )?vegetarian[oa]
I eat meat again: (?:vuelvo a comer|como otra vez|como de nuevo) carne
I got married: nos (?:casamos|hemos casado)|me (?:casé|he casado)
we broke up: nos (?:separamos|hemos separado)|(?:lo dejamos|hemos roto)
I moved to $<name>: (?:mi sono trasferit[oa]|ci siamo trasferiti) (?:a|in) <name>
I quit smoking: non fumo più|ho smesso di fumare
I moved to $<name>: (?:ik ben|we zijn|wij zijn) (?:\p{L}+ ){0,2}?(?:naar <name> verhuisd|verhuisd naar (?<name2>\p{Lu}[\p{L}-]+))
I quit smoking: ik rook niet meer|ik ben gestopt met roken
`;

/** What people tell of themselves, in those languages, behind its English name. */
export const NOUNS = `
car: auto wagen voiture bagnole coche carro macchina
motorcycle: motorrad moto
bike: fahrrad rad vélo bici bicicleta fiets
boat: boot bateau barco barca
house: haus maison casa huis
flat: wohnung appartement piso appartamento
garden: garten jardin jardín giardino tuin
piano: klavier piano pianoforte
guitar: gitarre guitare guitarra chitarra gitaar
violin: geige violon violín violino viool
football: fußball foot fútbol calcio voetbal
chess: schach échecs ajedrez scacchi schaken
camper: wohnmobil camping-car autocaravana
dog: hund chien perro cane hond
cat: katze chat gato gata gatto kat
children: kinder enfants hijos figli kinderen
brother: bruder frère hermano fratello broer
sister: schwester sœur soeur hermana sorella zus
meat: fleisch viande carne vlees
fish: fisch poisson pescado pesce vis
cheese: käse fromage queso formaggio kaas
goat cheese: ziegenkäse fromage_de_chèvre queso_de_cabra
coffee: kaffee café caffè koffie
tea: tee thé té tè thee
wine: wein vin vino wijn
beer: bier bière cerveza birra
milk: milch lait leche latte melk
sugar: zucker sucre azúcar zucchero suiker
alcohol: alkohol alcool alcohol
address: adresse dirección indirizzo adres
phone number: telefonnummer handynummer nummer numéro número numero telefoonnummer
email: e-mail mailadresse e-mail-adresse mail correo
birthday: geburtstag anniversaire cumpleaños compleanno verjaardag
salary: gehalt salaire sueldo stipendio salaris
job: job arbeit stelle travail boulot trabajo lavoro werk
name: name nom nombre nome naam
German: deutsch allemand alemán tedesco duits
French: französisch français francés francese frans
English: englisch anglais inglés inglese engels
Spanish: spanisch espagnol español spagnolo spaans
Italian: italienisch italien italiano italiaans
vegetarian: vegetarisch végétarien vegetariano
vegan: vegan végan vegano
town hall: rathaus mairie ayuntamiento municipio gemeentehuis
hospital: krankenhaus hôpital hospital ospedale ziekenhuis
school: schule école escuela scuola school
university: universität université universidad università universiteit
`;
