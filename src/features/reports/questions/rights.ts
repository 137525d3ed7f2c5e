import { factNamed, factNames, tellsMoney, type FactName, type Question } from '#domain/questions/model.ts'
import { can, seesWhole, type Rights } from '#kit/describe/session.ts'
import './rules.ts'

interface Asker extends Rights {
  ownCustomersOnly: boolean
}

/**
 * Whether a person may ask about a fact: the person has its rule, and amounts of the books are for people who see
 * the whole business.
 */
export const mayAskAbout = (person: Asker, name: FactName): boolean => {
  const { rule, whole } = factNamed(name)
  return can(person, rule) && (!whole || seesWhole(person))
}

/** Facts somebody may ask about, in their order. */
export const factsFor = (person: Asker): FactName[] => factNames.filter((name) => mayAskAbout(person, name))

/** Whether a question would show amounts to a person who may see none. */
export const isHiddenFrom = (person: { hideTotalPrices: boolean }, question: Question): boolean =>
  person.hideTotalPrices && tellsMoney(question)
