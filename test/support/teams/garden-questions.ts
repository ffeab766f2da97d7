/** A handbook of a garden that does not exist, one passage under each heading, and a question to each. */
const ENTRIES: readonly (readonly [heading: string, passage: string, question: string])[] = [
  [
    "Opening hours",
    "The garden opens at nine and closes an hour before sunset. On Mondays only members may come in.",
    "Who is let in on a Monday?",
  ],
  [
    "Tickets",
    "Adults pay eight euros at the gate. Children under twelve come for free, and so do their teachers.",
    "What does an adult pay for admission?",
  ],
  [
    "Lost property",
    "What visitors leave behind is kept at the cloakroom for six weeks and then given to charity.",
    "I left my umbrella: how long is it kept?",
  ],
  [
    "Dogs",
    "Dogs are welcome on a short leash, except in the rose garden and in every glasshouse.",
    "Where am I not allowed to take my dog?",
  ],
  [
    "Picnics",
    "Picnics are allowed on the south lawn. Barbecues and glass bottles are not.",
    "Can we barbecue on the lawn?",
  ],
  [
    "Weddings",
    "Couples can book the orangery for a ceremony between May and September, at least four months ahead.",
    "How far ahead must a wedding be booked?",
  ],
  [
    "Photography",
    "Private photographs need no permission. Tripods and drones do, and it costs forty euros a day.",
    "Do I need permission to fly a drone?",
  ],
  [
    "Wheelchairs",
    "Four wheelchairs can be borrowed at the gate. The path to the alpine house is too steep for them.",
    "Which path is too steep for a wheelchair?",
  ],
  [
    "Guided tours",
    "A tour takes ninety minutes and begins at the sundial, every Saturday at two.",
    "Where do guided tours start?",
  ],
  [
    "School classes",
    "Classes are taught in the potting shed by two educators. A class has at most twenty-eight pupils.",
    "How many pupils may a school class have?",
  ],
  [
    "Watering",
    "Beds are watered before seven in the morning, never at noon, since drops on leaves burn them.",
    "At what time of day are the beds watered?",
  ],
  [
    "Rainwater",
    "Rain from the roofs is collected in a cistern of sixty thousand litres under the car park.",
    "How large is the cistern for rain?",
  ],
  [
    "Compost",
    "Compost ripens for eighteen months and is turned three times. Diseased plants do not go into it.",
    "How often is the compost turned?",
  ],
  [
    "Pesticides",
    "No poison is sprayed outdoors. Against aphids we release lacewings, and soap water is used on scale insects.",
    "What is done against aphids?",
  ],
  [
    "Slugs",
    "Slugs are gathered by hand at dusk; copper tape keeps them out of the seedbeds.",
    "How are slugs kept away from seedlings?",
  ],
  [
    "Pruning roses",
    "Roses are pruned when the forsythia flowers, down to three buds on every strong shoot.",
    "When is it time to prune the roses?",
  ],
  [
    "Frost",
    "When less than two degrees are forecast, the citrus trees are moved into the orangery overnight.",
    "At what forecast do citrus trees move inside?",
  ],
  [
    "Seed bank",
    "Seeds are dried to five percent of moisture and frozen at minus twenty degrees in foil bags.",
    "How dry must seeds be before they are frozen?",
  ],
  [
    "Seed exchange",
    "We send seeds to three hundred gardens abroad, in exchange for theirs, with a phytosanitary certificate.",
    "With which certificate are seeds sent abroad?",
  ],
  [
    "Plant labels",
    "Black labels mean collected in the wild, green ones grown from seed, and a red dot a poisonous plant.",
    "What does a red dot on a label mean?",
  ],
  [
    "Herbarium",
    "The herbarium holds ninety thousand pressed specimens, the oldest gathered on Crete in 1742.",
    "Where was the oldest pressed plant gathered?",
  ],
  [
    "Library",
    "The library lends only to staff; others read in the hall, on weekdays from ten to four.",
    "May visitors borrow books?",
  ],
  [
    "Bees",
    "Nine hives stand behind the orchard. The beekeeper must be called before anybody mows there.",
    "Whom to call before mowing near the orchard?",
  ],
  [
    "Orchids",
    "Orchids are potted in bark, not in soil, and are misted twice a day with soft water.",
    "What are orchids potted in?",
  ],
  [
    "Water lilies",
    "The giant water lily is sown again each January and carries a child of twenty kilos by August.",
    "How heavy a child can the giant lily carry?",
  ],
  [
    "Carnivorous plants",
    "Sundews and pitcher plants get no fertiliser; they starve of insects only behind glass, so vents stay open.",
    "Do pitcher plants get fertiliser?",
  ],
  [
    "Storm",
    "From wind force eight on, the arboretum is closed, since old beeches drop branches without warning.",
    "At which wind force is the arboretum closed?",
  ],
  [
    "First aid",
    "A defibrillator hangs beside the café; the first-aid room is next to the ticket office, and its key with the porter.",
    "Who has the key to the first-aid room?",
  ],
  [
    "Volunteers",
    "Volunteers help on Thursdays, bring their own gloves, and are insured by the friends' association.",
    "Who insures the volunteers?",
  ],
  [
    "Donations",
    "A bench with an engraved plate is given for twelve hundred euros and stands for fifteen years.",
    "What does it cost to donate a bench?",
  ],
];

/** The handbook, in Markdown. */
export const HANDBOOK = ENTRIES.map(([heading, passage]) => `## ${heading}\n\n${passage}\n`).join("\n");

/** Questions, each with the heading under which its answer stands. */
export const QUESTIONS = ENTRIES.map(([heading, , question]) => ({ heading, question }));
