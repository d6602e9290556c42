/** How a shipped category is recognised. */
export interface CategoryWords {
  /** Natural topic names of the category, in the form of `topicKey`. */
  readonly topics: readonly string[];
  /**
   * Words and phrases in lower case, one a line or separated by commas. A
   * trailing `*` stands for any ending ("allerg*": allergy, allergic, …).
   */
  readonly words: string;
}

/**
 * Facts about somebody's health. A place of work, a profession and a figure of
 * speech are no such facts: "hospital", "nurse", "doctor", "healthy margin" and
 * "virus scanner" alone do not match, "in hospital" and "my doctor" do. Where a
 * word is usually about health ("surgery", "therapist") it is listed although it
 * can mean something else: an excluded fact costs a manual supersession, a
 * missed one sends somebody's health to a model.
 */
const HEALTH_MEDICAL: CategoryWords = {
  topics: [
    "health",
    "medical",
    "medicine",
    "medication",
    "medications",
    "allergy",
    "allergies",
    "mental health",
    "health and medical",
    "health and wellness",
    "health and fitness",
    "health fitness",
    "healthcare",
    "health care",
    "diagnosis",
    "disability",
    "pregnancy",
    "wellness",
  ],
  words: `
    allerg*, anaphyla*, epipen, epipens, intolerant, intolerance, celiac, coeliac, antihistamine*
    medication*, medicament*, medicated, prescription*, prescribed, dosage*, insulin, antibiotic*, antidepressant*, painkiller*,
    ibuprofen, paracetamol, acetaminophen, aspirin, metformin, lisinopril, statin, statins, ritalin, adderall, prozac, zoloft, xanax,
    penicillin, morphine, opioid*, steroids, inhaler, inhalers, birth control pill, birth control, contracepti*, blood thinner*, beta blocker*
    diagnosis, diagnoses, diagnosed, diagnosing, misdiagnos*, prognosis, symptom*, chronic pain, chronically ill, chronic illness, terminally ill, illness*, disease*, syndrome, disorder, disorders
    medical record*, medical condition*, medical history, medical leave, medical appointment*, medical issue*, medical problem*, medical treatment*, medical emergenc*, medical test*, medical insurance,
    medical bill*, medical care, medical procedure*, medical exam*, medical reason*, medical advice, medical alert, patient record, patient records, health condition*, health issue*, health problem*, health insurance, health record*
    pregnan*, miscarr*, abortion*, ivf, infertil*, fertility treatment*, due to give birth, trimester, menopaus*, postpartum
    therapy, therapies, therapist, therapists, psychotherap*, physiotherap*, psychiatr*, psychologist*, counseling session*, rehab, chemotherapy, radiotherapy, dialysis
    blood type, blood group, blood pressure, blood sugar, blood test*, cholesterol, bmi, hba1c, heart rate, glucose
    mental health, mental illness*, depression, clinically depressed, anxiety, panic attack*, bipolar, schizophreni*, psychosis, psychotic, ptsd, adhd, autis*, asperger*,
    anorexi*, bulimi*, eating disorder*, suicid*, self harm*, addict*, alcoholic, alcoholism, sober, sobriety, overdos*, dementia, alzheimer*, dyslexi*
    disabilit*, disabled person, disabled since, is disabled, are disabled, am disabled, wheelchair*, prosthe*, hearing aid*, deaf, blind in, is blind, am blind, legally blind, visually impaired, hearing loss, paralysed, paralyzed, amput*
    diabet*, asthma*, epilep*, seizure*, cancer*, tumor, tumors, tumour, tumours, leukemia, leukaemia, lymphoma, melanoma, carcinoma, hypertension, hypotension, arthrit*, migraine*, had a stroke, suffered a stroke, stroke survivor, stroke patient,
    heart attack*, heart condition*, heart disease*, heart failure, pacemaker, arrhythmi*, thyroid*, hepatitis, hiv, hiv positive, herpes, chlamydia, tubercul*, pneumonia, bronchitis, covid, covid 19, coronavirus, influenza, flu,
    crohn*, colitis, ibs, endometrios*, pcos, psoriasis, eczema, lupus, multiple sclerosis, parkinson*, fibromyalgi*, anemia, anemic, anaemia, anaemic, osteopor*, insomnia, sleep apnea, sleep apnoea, scoliosis, hernia, lactose*, concussion, kidney disease*, kidney stone*, kidney failure, kidney donor, liver disease*
    surgery, surgeries, surgical*, operated on, biopsy, biopsies, transplant*, vaccin*, immuniz*, immunis*, chemo, mri, x ray, x rays, xray, ct scan, ultrasound, colonoscopy, mammogram*
    hospitaliz*, hospitalis*, in hospital, in the hospital, to hospital, to the hospital, from the hospital, emergency room, intensive care, in the icu, my doctor, her doctor, his doctor, their doctor, user's doctor, doctor's appointment, doctor appointment, the doctor said, doctor says, dentist appointment, dentist's appointment, gp appointment
    sick leave, is sick, am sick, was sick, feels sick, got sick, fell ill, is ill, am ill, was ill, injur*, fractur*, broken leg, broken arm, broken wrist, broken ankle, broke his leg, broke her leg, broke my leg, broke my arm, sprained, fever, infection*, contagious, nausea*, vomit*
  `,
};

/**
 * Facts about somebody's standing before the law: residence and citizenship,
 * marriage and custody, crime, courts, insolvency. A profession or a product is
 * none: "lawyer", "legal department", "court" (tennis), "charge" (battery) and
 * "sentence" (grammar) alone do not match.
 */
const LEGAL_STATUS: CategoryWords = {
  topics: [
    "legal",
    "law",
    "legal matters",
    "legal status",
    "legal issues",
    "immigration",
    "visa",
    "citizenship",
    "criminal record",
    "divorce",
    "custody",
    "marital status",
    "litigation",
  ],
  words: `
    visa, visas, immigration, immigrant*, immigrated, green card*, work permit*, residence permit*, residency permit*, permanent residen*, temporary residen*, settled status, leave to remain, indefinite leave, undocumented immigrant*, undocumented,
    citizen, citizens, citizenship*, dual national*, nationality, naturaliz*, naturalis*, asylum, refugee*, stateless, deport*, passport*, h1b, h 1b, daca, i 94, work authorization, work authorisation, right to work
    divorc*, custody, child support, alimony, prenup*, prenuptial, annulment, annulled, legally separated, marital status, separated from his, separated from her, separated from my, separated from their, civil partnership, guardianship, legal guardian*, power of attorney, adoption papers, paternity
    arrest, arrests, arrested, arresting, convict, convicts, convicted, conviction*, felon, felons, felony, felonies, misdemeanor*, misdemeanour*, criminal record*, criminal charge*, criminal case*, criminal background, charged with, charges against, pleaded guilty, pled guilty, plead guilty, found guilty, acquitted, acquittal, indict*, incarcerat*, imprison*, in prison, to prison, from prison, in jail, jailed, to jail, parole, paroled, on probation, probation officer, his probation, her probation, my probation, their probation, bail hearing, posted bail, on bail, ex convict, expung*, community service order, house arrest, warrant for, restraining order*, sex offender*
    lawsuit*, sued, suing, litigat*, plaintiff*, defendant*, subpoena*, deposition, court case*, court date*, court hearing*, court order*, in court, to court, court appearance*, legal case*, legal action, legal dispute*, legal status, legal proceeding*, legal trouble*, out of court settlement, class action, injunction, under investigation, testif*, jury duty
    bankrupt*, insolven*, foreclos*, evict*, garnish my wages, wage garnishment, tax evasion, tax lien
    deceased estate, probate, last will, living will, will and testament, inheritance dispute
  `,
};

/** By category name, in the form of `topicKey`. */
export const CATEGORY_WORDS: ReadonlyMap<string, CategoryWords> = new Map([
  ["health medical", HEALTH_MEDICAL],
  ["legal status", LEGAL_STATUS],
]);
