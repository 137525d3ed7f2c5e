import { documentTypeById } from '#domain/documents/kinds.ts'
import { wordIfAny, type Words } from '#kit/web/words/words.tsx'
import type { Worker } from '../workers.ts'

type Limits = Pick<Worker, 'rules' | 'docsAllow'>

/** 'Everything', or how many rules. */
export const rulesText = (t: Words, { rules }: Pick<Limits, 'rules'>): string =>
  rules.length === 0 || rules[0] === -1 ? t('team.all') : t('team.count', { count: rules.length })

/** The allowed types by name. */
export const typesText = (t: Words, { docsAllow }: Pick<Limits, 'docsAllow'>): string =>
  docsAllow.length === 0
    ? t('team.allTypes')
    : docsAllow.map((id) => t(`documents.types.${documentTypeById(id)}`)).join(', ')

/** A word when there is one; undefined where the key itself would be shown. */
export function wordOr(t: Words, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const said = wordIfAny(t, key)
    if (said !== undefined) return said
  }
  return undefined
}

/** The area of an action or of a rule: its feature, as people call it. */
export const areaText = (t: Words, area: string): string =>
  wordOr(t, `team.areas.${area}`, `${area}.title`) ?? area

export const ruleText = (t: Words, name: string): string => wordOr(t, `team.rules.${name}`) ?? name

export const deedText = (t: Words, action: string): string => wordOr(t, `companies.audit.${action}`) ?? action
