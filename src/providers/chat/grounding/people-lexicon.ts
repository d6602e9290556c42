/** Those whom people speak of: a line for each kind, a column for each language of `LANGUAGES`. */
export const PEOPLE = `
mother,mom,mum,mama,mommy,mummy|mutter,mama,mutti|mere,maman|madre,mama|madre,mamma|mae|moeder,mama,mam|matka,matki,mama,mamy,matke|母,お母さん|妈,母亲,媽
father,dad,papa,daddy|vater,papa|pere,papa|padre,papa|padre,papa,babbo|pai|vader,papa,pa|ojciec,tata,ojca,taty|父,お父さん|爸,父亲
parents,folks|eltern|parents|padres|genitori|pais|ouders|rodzice,rodzicow|両親|父母,爸妈
brother,bro|bruder,bruders|frere|hermano|fratello|irmao|broer|brat,brata,bratem|兄,弟|哥,弟
sister,sis|schwester|soeur,sœur|hermana|sorella|irma|zus,zusje|siostra,siostry,siostre|姉,妹|姐,妹
wife,missus|frau,ehefrau|femme,epouse|esposa,mujer|moglie|esposa,mulher|vrouw,echtgenote|zona,zony,zone|妻,奥さん,家内|妻子,老婆,太太
husband,hubby|mann,ehemann|mari,epoux|marido,esposo|marito|marido,esposo|man,echtgenoot|maz,meza|夫,旦那,主人|丈夫,老公
partner,spouse|partner,partnerin|partenaire,conjoint,conjointe|pareja|compagno,compagna,partner|parceiro,parceira|partner|partner,partnerka|パートナー|伴侣,对象
boyfriend,bf|freund|copain,petit ami|novio|ragazzo,fidanzato|namorado|vriend|chłopak,chłopaka|彼氏|男朋友,男友
girlfriend,gf|freundin|copine,petite amie|novia|ragazza,fidanzata|namorada|vriendin|dziewczyna,dziewczyny|彼女|女朋友,女友
son,boy|sohn,sohnes|fils|hijo|figlio|filho|zoon|syn,syna|息子|儿子
daughter,girl|tochter|fille|hija|figlia|filha|dochter|corka,corki,corke|娘|女儿
kid,kids,child,children,baby,toddler,twins|kind,kinder,kindern,baby|enfant,enfants,bebe|ninos,hijos,bebe|figli,bambino,bambini|filhos,criancas,bebe|kind,kinderen,baby|dzieci,dziecko|子供,子ども,赤ちゃん|孩子,宝宝
grandmother,grandma,granny,nana,nan,gran|oma,großmutter,grossmutter|grand-mere,mamie|abuela|nonna|avo|oma|babcia,babci|祖母,おばあちゃん|奶奶,外婆,姥姥
grandfather,grandpa,grandad,granddad|opa,großvater,grossvater|grand-pere,papi,papy|abuelo|nonno|avo|opa|dziadek,dziadka|祖父,おじいちゃん|爷爷,外公,姥爷
uncle|onkel|oncle,tonton|tio|zio|tio|oom|wujek,wujka|叔父,伯父,おじ|叔叔,舅舅,伯伯
aunt,auntie|tante|tante,tata|tia|zia|tia|tante|ciocia,cioci|叔母,伯母,おば|阿姨,姑姑,姨妈
cousin|cousin,cousine|cousin,cousine|primo,prima|cugino,cugina|primo,prima|neef,nicht|kuzyn,kuzynka|いとこ|表哥,表姐,表弟,表妹,堂哥,堂弟
nephew|neffe|neveu|sobrino|nipote|sobrinho|neefje|siostrzeniec,bratanek|甥|侄子,外甥
niece|nichte|niece|sobrina|nipotina|sobrinha|nichtje|siostrzenica,bratanica|姪|侄女,外甥女
in-law,mother-in-law,father-in-law,brother-in-law,sister-in-law,in-laws|schwiegermutter,schwiegervater,schwager,schwagerin|belle-mere,beau-pere,beau-frere,belle-soeur|suegra,suegro,cunado,cunada|suocera,suocero,cognato,cognata|sogra,sogro,cunhado,cunhada|schoonmoeder,schoonvader,zwager,schoonzus|tesciowa,tesc,szwagier,szwagierka|義母,義父,義理|岳父,岳母,婆婆,公公
friend,mate,buddy,pal,friends|kumpel,freundeskreis|ami,amie,pote|amigo,amiga|amico,amica|amigo,amiga|maat,kameraad|przyjaciel,przyjaciołka,kolega,kolezanka|友達,友人|朋友
colleague,coworker,co-worker,teammate,colleagues|kollege,kollegin,kollegen|collegue|colega,companero,companera|collega|colega|collega|wspołpracownik,wspołpracowniczka|同僚|同事
boss,manager,supervisor|chef,chefin|chef,patron,patronne|jefe,jefa|capo|chefe|baas,chef|szef,szefowa,szefa|上司|老板,经理
neighbor,neighbour,neighbors,neighbours|nachbar,nachbarin,nachbarn|voisin,voisine|vecino,vecina|vicino di casa,vicina di casa|vizinho,vizinha|buurman,buurvrouw,buren|sasiad,sasiadka|隣人,お隣|邻居
roommate,flatmate,housemate|mitbewohner,mitbewohnerin|colocataire,coloc|companero de piso|coinquilino,coinquilina|colega de casa|huisgenoot,huisgenote|wspołlokator,wspołlokatorka|ルームメイト|室友
landlord,landlady|vermieter,vermieterin|proprietaire,proprio|casero,casera|padrone di casa,proprietario|senhorio,senhoria|huisbaas|własciciel mieszkania|大家|房东
doctor,dentist,therapist|arzt,arztin,zahnarzt|medecin,docteur,dentiste|medico,medica|medico,dottore,dottoressa|medico,medica|dokter,arts,tandarts|lekarz,lekarka|医者|医生
teacher|lehrer,lehrerin|prof,professeur|profesor,profesora|insegnante,maestra|professor,professora|leraar,juf|nauczyciel,nauczycielka|担任|老师
client,customer|kunde,kundin|client,cliente|cliente|cliente|cliente|klant|klient,klientka|顧客|客户
lady,man,woman,guy,bloke,dude,someone,somebody,everyone,person|dame,typ,kerl,jemand,herr|dame,mec,quelqu'un,monsieur|senora,senor,tipo,alguien|signora,signore,tizio,qualcuno|senhora,senhor,alguem|dame,kerel,iemand,meneer,mevrouw|pani,facet,ktos||
dog,puppy|hund,hundin|chien,chienne|perro,perra|cane,cagnolino|cachorro,cao|hond|pies,psa|犬|狗
cat,kitten|katze,kater|chat,chatte|gato,gata|gatto,gatta|gato,gata|kat,poes|kot,kota,kotka|猫|猫
`;
