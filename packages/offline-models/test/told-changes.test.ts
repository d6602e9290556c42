import { describe, expect, test } from "vitest";
import { tellsOfChange, toldChange } from "../src/told-changes.ts";

describe("what changed is read out of how people tell of it", () => {
  test.each([
    ["The user lives in Padua", "we relocated to Verona in spring"],
    ["The user lives in Padua", "new job, new town: left Padua for Treviso"],
    ["The user works for Zalando", "started at Delivery Hero on Tuesday"],
    ["The user works at a bakery", "I joined a small publisher last month"],
    ["The user is a vegetarian", "I'm eating meat again"],
    ["The user eats meat", "went fully vegan in January"],
    ["The user's phone is a Nokia", "I upgraded to a Fairphone"],
    ["The user has a Nikon Z5", "I upgraded to the Nikon Z8"],
    ["The user is a junior developer", "got promoted to team lead"],
    ["The user works as a baker", "I gave up baking"],
    ["The user is learning Dutch", "I stopped learning Dutch"],
    ["The user is planning a trip to Malta", "the Malta trip is off"],
    ["The user drives a Volvo", "We bought a new Skoda"],
    ["The user's laptop runs Windows", "switched my laptop to Linux"],
    ["The backend is written in Ruby", "we rewrote the backend in Kotlin"],
    ["The team tracks bugs in Jira", "We moved from Jira to Linear"],
    ["The user's favourite season is autumn", "Spring is my favourite season now"],
    ["The user's email is kai@example.org", "my new email is kai@example.com"],
    ["The orchestra rehearses on Mondays", "the orchestra rehearses on Wednesdays now"],
    ["The audit is on May 3", "they pushed the audit to May 17"],
    ["Olga is the treasurer", "Milan took over from Olga as treasurer"],
    ["Olga is the treasurer", "Milan is our new treasurer"],
    ["The user drives to work", "I cycle to work these days"],
    ["The user weighs 90 kg", "I'm down to 84 kg"],
    ["The user swims 20 laps", "I'm up to 40 laps now when I swim"],
    ["The user has three hens", "One of our hens died"],
    ["The user has two daughters", "our third daughter was born in May"],
    ["The user studies law", "graduated last week"],
    ["The user lives in Padua", "Verona has been home since April"],
    ["The user lives in Padua", "first night in our new Verona apartment!"],
    ["The user works night shifts", "I'm on early shifts now"],
    ["The user has an Android phone", "my new phone is an iPhone 17"],
    ["The user is learning Dutch", "no more Dutch lessons"],
    ["The user wakes up at 8", "I get up at 6 these days"],
    ["The max upload size is 10 MB", "The max upload size is now 50 MB"],
    ["The gate code is 4471", "they changed the gate code to 9012"],
    ["The user lives with two flatmates", "my flatmates moved out"],
    ["The user's dentist is Dr. Vogel", "we switched dentists"],
  ])("%s / %s", (older, newer) => {
    expect(toldChange(newer, older)).toMatchObject({ confidence: expect.any(Number) });
  });
});

describe("what leaves the older fact true is no change of it", () => {
  test.each([
    ["another thing", "The max upload size is 10 MB", "The max download size is now 50 MB"],
    [
      "another thing",
      "Version 1 is deployed on staging",
      "Version 2 is deployed on production now",
    ],
    ["somebody else's", "The user lives in Padua", "my brother moved to Verona"],
    ["somebody else's", "The user's phone is a Nokia", "Lars switched to a Fairphone"],
    ["somebody else's", "The user works at Zalando", "my wife got promoted, she works at Ikea now"],
    ["somebody else's", "Lars works at Zalando", "I started at Delivery Hero"],
    ["a wish", "The user drives a Volvo", "I'd like to switch to a Skoda"],
    ["a plan", "The user lives in Padua", "We're planning to relocate to Verona"],
    ["a condition", "The user works at Zalando", "If I left Zalando, I'd open a bakery"],
    ["a question", "The user's laptop runs Windows", "Has anybody switched to Linux?"],
    ["long ago", "The user lives in Padua", "I used to live in Verona"],
    ["for a while", "The user lives in Padua", "I'm living in Verona for three weeks now"],
    ["for a while", "The user drives a Volvo", "I have a Skoda now until the brakes are fixed"],
    ["once", "The user drives to work", "I took the tram to work today"],
    ["once", "The user runs 5 km every day", "I just ran 12 km"],
    ["an addition", "The user drives a Volvo", "we bought a second car, a Skoda"],
    ["an addition", "The user plays the cello", "I also play the harp now"],
    ["another thing", "The web app uses React", "the mobile app moved to Vue"],
    ["another thing", "The production site runs on AWS", "we moved the staging site to Hetzner"],
    ["another thing", "The audit is on May 3", "they pushed the review to May 17"],
    ["another attribute", "The user is a nurse", "I became a parent last week"],
    ["another thing", "The user plans a trip to Malta", "the Crete trip is off"],
    ["another thing", "The gate code is 4471", "we changed the alarm code to 9012"],
    ["somebody else's", "The user lives with two flatmates", "my parents moved out"],
    ["somebody else's", "The user wakes up at 8", "my son gets up at 6 these days"],
    ["once", "The user drinks coffee", "I dropped my coffee"],
    ["another attribute", "The user lives in Padua", "I moved to the sales team"],
    ["no value given", "The user has a car", "I got a new Skoda"],
    ["who stays", "The user has a sister in Padua", "we left Padua for Verona"],
  ])("%s: %s / %s", (_, older, newer) => {
    expect(toldChange(newer, older)).toBeNull();
  });
});

test.each([
  ["my favourite author is Le Guin these days", true],
  ["One of our hens died", true],
  ["I'm up to 40 laps now", true],
  ["I might move to Verona", false],
  ["he moved to Verona", false],
  ["what a day", false],
])("whether a clause tells of a change of the user's: %s", (clause, tells) => {
  expect(tellsOfChange(clause)).toBe(tells);
});
