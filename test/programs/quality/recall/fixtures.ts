/** Small conversations of our own in the formats of the public corpora. */

export const LOCOMO_FILE = [
  {
    sample_id: "conv-a",
    conversation: {
      speaker_a: "Ida",
      speaker_b: "Noor",
      session_1_date_time: "1:56 pm on 8 May, 2023",
      session_1: [
        { speaker: "Ida", dia_id: "D1:1", text: "Hi Noor, long time no see!" },
        { speaker: "Noor", dia_id: "D1:2", text: "I adopted a greyhound from the shelter." },
      ],
      session_2_date_time: "12:09 am on 13 September, 2023",
      session_2: [
        { speaker: "Ida", dia_id: "D2:1", text: "I signed up for a pottery course." },
        { speaker: "Noor", dia_id: "D2:2", text: "Lovely, what will you make?", blip_caption: "x" },
      ],
    },
    qa: [
      { question: "What did Noor adopt?", answer: "A dog", evidence: ["D1:2"], category: 4 },
      {
        question: "What course and what pet came up?",
        answer: "Pottery, a greyhound",
        evidence: ["D2:01; D:1:2", "D1:2"],
        category: 1,
      },
      { question: "What did Ida adopt?", adversarial_answer: "x", evidence: ["D1:2"], category: 5 },
      { question: "Who paints?", answer: "Nobody", evidence: [], category: 3 },
    ],
  },
];

export const LONGMEMEVAL_FILE = [
  {
    question_id: "q1",
    question_type: "single-session-user",
    question: "Which bike did I buy?",
    answer: "A folding bike",
    question_date: "2023/05/30 (Tue) 23:40",
    haystack_dates: ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 14:05"],
    haystack_session_ids: ["s1", "s2"],
    answer_session_ids: ["s2"],
    haystack_sessions: [
      [
        { role: "user", content: "How do I boil eggs?" },
        { role: "assistant", content: "Seven minutes in boiling water." },
      ],
      [
        { role: "user", content: "I bought a folding bike yesterday.", has_answer: true },
        { role: "assistant", content: "Enjoy the rides!", has_answer: false },
      ],
    ],
  },
  {
    question_id: "q2_abs",
    question_type: "single-session-user",
    question: "Which boat did I buy?",
    answer: "You did not say.",
    haystack_dates: ["2023/05/20 (Sat) 02:21"],
    haystack_sessions: [[{ role: "user", content: "I bought a folding bike yesterday." }]],
  },
];

export const BEAM_CHAT = [
  {
    batch_number: 1,
    time_anchor: null,
    turns: [
      [
        {
          role: "user",
          id: 0,
          time_anchor: "March-15-2024",
          content: "My sprint ends on March 29, plan it with me. ->-> 1,1",
        },
        { role: "assistant", id: 1, content: "Here is a plan." },
      ],
      [{ role: "user", id: 2, content: "I moved the sprint's end to April 2. ->-> 1,2" }],
    ],
  },
  { batch_number: 2, turns: [[{ role: "user", id: 3, content: "I prefer short answers." }]] },
];

export const BEAM_QUESTIONS = {
  abstention: [{ question: "What is my shoe size?", ideal_response: "Unknown" }],
  knowledge_update: [
    {
      question: "When does my sprint end?",
      source_chat_ids: { original_info: [0], updated_info: [2] },
    },
  ],
  information_extraction: [{ question: "What answers do I prefer?", source_chat_ids: [3, 3] }],
  summarization: [{ question: "Sum it up", source_chat_ids: null }],
};
