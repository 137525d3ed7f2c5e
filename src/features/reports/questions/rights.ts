import { factNamed, factNames, tellsMoney, type FactName, type Question } from '#domain/questions/model.ts'
import { can, seesWhole, type Rights } from '#kit/describe/session.ts'
import './rules.ts'

interface Asker extends Rights {
  ownCustomersOnly: boolean
}

/**
 * Whether somebody may ask about a fact: he has its rule, and sums of the books are for who sees the business
 * whole.
 */
export const mayAskAbout = (person: Asker, name: FactName): boolean => {
  const { rule, whole } = factNamed(name)
  return can(person, rule) && (!whole || seesWhole(person))
}

/** Facts somebody may ask about, in their order. */
export const factsFor = (person: Asker): FactName[] => factNames.filter((name) => mayAskAbout(person, name))

/** Whether a question would tell sums to somebody who sees none. */
export const isHiddenFrom = (person: { hideTotalPrices: boolean }, question: Question): boolean =>
  person.hideTotalPrices && tellsMoney(question)
