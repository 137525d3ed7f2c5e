import { dayInJerusalem } from '#domain/day.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import type { Words } from '#kit/web/words/words.tsx'
import type { ApiKey } from '../endpoints.ts'

export const stateOf = (key: ApiKey): 'revoked' | 'over' | 'live' =>
  key.revokedAt ? 'revoked' : key.expiresAt && new Date(key.expiresAt) <= new Date() ? 'over' : 'live'

/** The last day a key works. The moment is the end of the day: the day is the one before it. */
export const expiryOf = (key: ApiKey): string | undefined =>
  key.expiresAt ? formatDay(dayInJerusalem(new Date(Date.parse(key.expiresAt) - 12 * 3_600_000))) : undefined

/** What a key may do at all. */
export const mayText = (t: Words, key: Pick<ApiKey, 'readOnly' | 'draftsOnly'>): string =>
  t(key.readOnly ? 'apiKeys.may.read' : key.draftsOnly ? 'apiKeys.may.drafts' : 'apiKeys.may.all')

/** What a key may and where its limits are, in a line. */
export const scopeText = (
  t: Words,
  key: Pick<ApiKey, 'readOnly' | 'draftsOnly' | 'rules' | 'docsAllow' | 'sumLimitAgorot'>,
): string =>
  [
    mayText(t, key),
    ...(key.rules.length ? [t('apiKeys.areas', { count: key.rules.length })] : []),
    ...(key.docsAllow.length ? [t('apiKeys.types', { count: key.docsAllow.length })] : []),
    ...(key.sumLimitAgorot === null
      ? []
      : [t('apiKeys.upTo', { sum: `₪${formatMoney(key.sumLimitAgorot)}` })]),
  ].join(' · ')
