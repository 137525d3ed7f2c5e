import { call, failureText, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { matches } from '#kit/web/parts/matches.ts'
import { rankOf } from '#kit/web/parts/rank.ts'
import { banner } from '#kit/web/shell/banner.ts'
import type { Found } from '#kit/web/shell/registry.ts'
import { wordingNow } from '#kit/web/words/wording.ts'
import { makeWords } from '#kit/web/words/words.tsx'
import { myCompanies } from '../endpoints.ts'
import { hubOf } from './hub.ts'
import { hasUnsaved, switchTo } from './switch.ts'

const words = () => {
  const { lang, dic } = wordingNow()
  return makeWords(lang, dic ?? {})
}

/** The person's other businesses, for 'switch to …'. */
export async function findCompanies(query: string, signal: AbortSignal): Promise<Found[]> {
  const t = words()
  const { rows } = await queryClient.ensureQueryData({
    queryKey: keyOf(myCompanies, {}),
    queryFn: () => call(myCompanies, {}, { signal, quiet: true }),
  })
  return rows
    .filter(
      (row) =>
        !row.current &&
        matches(`${t('companies.switch.to', { name: row.name })} ${row.taxId} ${row.number}`, query),
    )
    .slice(0, 8)
    .map((row) => ({
      key: row.id,
      label: t('companies.switch.to', { name: row.name }),
      hint: row.taxId,
      href: '/invoice/InvoiceCompanies',
      // With something unsaved the list of businesses asks; it opens from there.
      ...(hasUnsaved()
        ? {}
        : { run: () => void switchTo(row.id).catch((e: unknown) => banner.error(failureText(words(), e))) }),
    }))
}

/** Places of settings, also by the names of their fields. */
export const findSettings = (query: string): Found[] =>
  query.trim().length < 2
    ? []
    : hubOf(words(), wordingNow().dic ?? {}, query)
        .flatMap(({ items }) => items)
        .map((item) => ({
          ...item,
          rank:
            rankOf(query, { name: item.title, also: `${item.text} ${item.fields.join(' ')}` }) ?? Infinity,
        }))
        .toSorted((a, b) => a.rank - b.rank)
        .slice(0, 6)
        .map(({ key, title, fields, href }) => ({
          key,
          label: title,
          href,
          ...(fields[0] ? { hint: fields[0] } : {}),
        }))
