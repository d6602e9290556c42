import { expect, test } from "vitest";
import { TERMS_VERSION } from "../../src/domain/search-terms.ts";
import { searchTermsOf } from "../../src/providers/text/search-terms.ts";

test("terms are those of the version that is stored with them: other rules have another version", () => {
  const texts = [
    "PROJ-4711 belongs to Maren, who moved to Zürich",
    "Her allergies: peanuts (severe), 12,500.50",
    "東京の天気は良い",
    "camelCase and HTTPServer at ops@example.com",
  ];
  const terms = texts.map(searchTermsOf);
  expect({ version: TERMS_VERSION, terms }).toMatchInlineSnapshot(`
    {
      "terms": [
        {
          "length": 7,
          "numbers": [
            14975224,
            288024673,
            299936799,
            446524804,
            489449820,
            513285410,
            684463452,
          ],
        },
        {
          "length": 6,
          "numbers": [
            61749141,
            88290469,
            300052241,
            555101511,
            704223989,
            833042383,
          ],
        },
        {
          "length": 3,
          "numbers": [
            348101432,
            410938538,
            745305631,
          ],
        },
        {
          "length": 10,
          "numbers": [
            86192169,
            127890862,
            268727788,
            350315619,
            364047065,
            536845622,
            609677334,
            741542764,
            747597471,
            969127268,
          ],
        },
      ],
      "version": 1,
    }
  `);
});
