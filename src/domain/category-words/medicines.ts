/**
 * Names of medicines, which are much alike in all languages: the endings that the World
 * Health Organization gives to names of one kind, as these languages spell them, and common
 * brand names. An ending that everyday words share ("-pril" of April) stands with the
 * letters that go before it.
 */
export const MEDICINES = `
  *limab, *lumab, *zumab, *ximab, *tumab, *rumab, *mumab, *numab, *sumab, *cumab
  *alapril*, *nopril*, *ampril, *amipril*, *indopril*, *aptopril*, *azepril*, *inapril*, *olapril*, *exipril*, *sinopril*, *azapril*, *nalapril*
  *losartan*, *valsartan*, *desartan*, *besartan*, *misartan*, *mesartan*, *sartanu, *prosartan*
  statin, statine, statinen, statins, statina, statinas, statyny, statyn, *vastatin*, *wastatyn*
  *prolol*, *enolol*, *anolol*, *adolol*, *otalol*, *imolol*, *ivolol*, *butolol*, *vedilol*, *wedilol*, *betalol*
  *prazol*, *conazol*, *konazol*, *nidazol*, *bendazol*, *letrozol*, *anastrozol*, *piprazol*
  *cillin*, *cilline*, *icilin*, *icillin*, *acylin*, *icylin*, *mycin, *mycine, *romycin*, *amicin*, *omicin*, *omycyn*, *floxacin*, *floxacyn*, *floksacyn*, *xycyclin*, *tracyclin*, *nocyclin*, *xiciclin*, *traciclin*, *nociclin*, *ksycyklin*, cefalexin*, cephalexin*, ceftriax*, cefuroxim*, *oxacin, nitrofuran*, trimethoprim*, *sulfamethox*, vancomyc*
  *oxetin*, *oksetyn*, *alopram*, *sertralin*, *triptylin*, *triptilin*, *ipramin*, *bupropion*, venlafaxin*, wenlafaksyn*, mirtazapin*, trazodon*, vortioxet*, lithium (carbonate|for|therapy|level|levels), litio para, (takes|on|nimmt|prend|toma|prende|slikt) (lithium|litio|lítio)
  *azepam*, *zolam*, zolpidem*, zopiclon*, eszopiclon*, buspiron*, hydroxyzin*, melatonin*, *barbital*
  *gliptin*, *gliptyn*, *gliflozin*, *gliflozyn*, *glutid*, *glutyd*, metformin*, glibenclamid*, gliclazid*, glimepirid*, glipizid*, pioglitazon*
  *tinib*, *ciclib*, *parib*, *ovir, *ovire, *avir, *ciclovir*, *cyclovir*, *virenz*, tamoxifen*, methotrexat*, metotrexat*, hydroxychloroquin*, sulfasalazin*, azathioprin*, ciclosporin*, cyclosporin*, tacrolimus, cisplatin*, carboplatin*, docetaxel, paclitaxel, *platin therapy
  *dipin, *dipine, *dipino, *dipiny, *odipin*, diltiazem, verapamil*, *thiazid*, *tiazid*, furosemid*, torasemid*, *semide, spironolact*, digoxin*, amiodaron*, nitroglycerin*
  *xaban, *xabán, dabigatran*, clopidogrel*, warfarin*, heparin*, enoxaparin*, eparin*, phenprocoumon, marcumar, marcoumar, acenocoumarol, sintrom
  *ocain, *ocaine, *ocaina, lidocain*, *codon, *codone, codein*, codeín*, tramadol*, *tramadol, morphin*, morfin*, fentanyl*, fentanil*, buprenorphin*, methadon*, metadon*, naloxon*, naltrexon*, suboxone
  *triptan, *triptans, *triptán, *setron, *gepant*, ondansetron*, metoclopramid*, domperidon*, loperamid*
  *butamol*, albuterol*, *meterol*, *lukast*, montelukast*, tiotropium*, *tropium, theophyllin*, *isolon*, *methason*, *metason*, *ticason*, budesonid*, beclomet*, cortison*, hydrocortison*, *cetirizin*, loratadin*, *loratadin*, fexofenadin*, diphenhydramin*
  *profen, *profeno, *profene, *profenu, *coxib*, *fenac, *fenaco, *fenaku, naproxen*, naproksen*, indometacin*, metamizol*, novalgin*, novaminsulfon*, nolotil, dipirona, paracetamol*, acetaminophen*, aspirin*, colchicin*, allopurinol*, alopurinol*
  levothyrox*, thyroxin*, *tiroxin*, *tyroksyn*, l thyroxin*, euthyrox, eutirox, synthroid, thyrozol, methimazol*
  haloperidol*, *peridon, *peridone, *peridona, olanzapin*, quetiapin*, kwetiapin*, clozapin*, aripiprazol*, *racetam*, *gabalin*, *gabatin*, *gabapentin*, lamotrigin*, *bamazepin*, valproat*, *valproic, phenytoin*, topiramat*, donepezil*, memantin*, levodopa, *dopa therapy, methylphenidat*, metilfenidat*, metylofenidat*, lisdexamfet*, *amphetamin*, *amfetamin*, atomoxetin*
  sildenafil*, tadalafil*, finasterid*, *steride, tamsulosin*, *gestrel, *gestrel*, *estradiol*, progesteron*, testosteron*, letrozole, clomid*, clomiphen*, misoprost*, mifeprist*, *dronat*, denosumab, alendron*, isotretinoin*, izotretynoin*, minoxidil*
  prozac, zoloft, lexapro, cipralex, celexa, paxil, cymbalta, effexor, wellbutrin, xanax, valium, ativan, klonopin, rivotril, ritalin*, concerta, adderall, vyvanse, strattera, seroquel, zyprexa, abilify, risperdal, lamictal, depakote, depakine, keppra, lyrica, neurontin, tegretol, ambien, stilnox, imovane
  lipitor, crestor, zocor, plavix, eliquis, xarelto, coumadin, norvasc, diovan, cozaar, lasix, entresto, humira, enbrel, remicade, stelara, cosentyx, keytruda, opdivo, herceptin, avastin, ozempic, wegovy, mounjaro, zepbound, victoza, trulicity, saxenda, januvia, jardiance, forxiga, farxiga, lantus, humalog, novolog, novorapid, levemir, tresiba, toujeo
  ventolin, symbicort, seretide, advair, flovent, spiriva, singulair, dupixent, xolair, zyrtec, claritin, allegra tablets, benadryl, nexium, prilosec, pantoloc, pantozol, omeprazol*, zantac, imodium, buscopan, tylenol, advil, motrin, aleve, nurofen, doliprane, dafalgan, efferalgan, levothyrox, voltaren, diclofenac*, novalgina, tachipirina, aulin, dorflex, neosaldina, buscofen, thomapyrin, dolormin, apap, ketonal, oxycontin, percocet, vicodin, norco, norspan, tramal, botox, viagra, cialis, levitra, truvada, prep pill, biktarvy, tamiflu, paxlovid, roaccutan*, accutane, roacutan*, mirena, nuvaring, depo provera, yasmin pill, plan b pill, clomid, gonal
  ozempik, synthroid, humulin, apidra, copaxone, tysabri, ocrevus, gilenya, rituximab, prolia, fosamax, boniva
  インスリン, スタチン, サルタン錠, プラゾール, カルボシステイン, ロキソニン, ロキソプロフェン, アセトアミノフェン, イブプロフェン, アスピリン, バファリン, カロナール, メトホルミン, アムロジピン, デパス, レクサプロ, ジェイゾロフト, パキシル, コンサータ, ストラテラ, リタリン, マイスリー, ハルシオン, タミフル, リリカ, ワーファリン, プレドニゾロン, ステロイド, オゼンピック, メトトレキサート
`;
