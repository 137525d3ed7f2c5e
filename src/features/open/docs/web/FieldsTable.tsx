import { useWords, type Words } from '#kit/web/words/words.tsx'
import type { DocField } from '../endpoints.ts'

/** A number is said with what it stands for: programs send the one, people read the other. */
const named = ({ names }: DocField, value: string): string =>
  names?.[value] ? `${value} ${names[value]}` : value

/** What bounds a value, in words. */
function limitsText(t: Words, of: DocField): string[] {
  return [
    ...(of.choices && of.choices.length <= 24
      ? [of.choices.map((one) => named(of, String(one))).join(', ')]
      : []),
    ...(of.names && !of.choices
      ? [
          Object.keys(of.names)
            .map((one) => named(of, one))
            .join(', '),
        ]
      : []),
    ...(of.longest === undefined ? [] : [t('docs.limits.longest', { n: of.longest })]),
    ...(of.mostRows === undefined ? [] : [t('docs.limits.mostRows', { n: of.mostRows })]),
    ...(of.least === undefined ? [] : [t('docs.limits.least', { n: of.least })]),
    ...(of.most === undefined ? [] : [t('docs.limits.most', { n: of.most })]),
    ...(of.start === undefined ? [] : [t('docs.limits.start', { value: String(of.start) })]),
  ]
}

const kindText = (t: Words, { kind, of, mayBeNull }: DocField): string =>
  [
    kind === 'list' && of && of !== 'object'
      ? t('docs.listOf', { what: t(`docs.kinds.${of}`) })
      : t(`docs.kinds.${kind}`),
    ...(mayBeNull ? [t('docs.mayBeNull')] : []),
  ].join(' · ')

/** Fields with what they mean, what they are and what bounds them. */
export function FieldsTable({
  label,
  rows,
  withNeed,
}: {
  label: string
  rows: readonly DocField[]
  withNeed?: boolean
}) {
  const t = useWords()
  return (
    <dl className="ad-fields" aria-label={label}>
      {rows.map((row) => (
        <div key={row.path} className="ad-field" data-depth={Math.min(4, row.path.split('.').length - 1)}>
          <dt>
            <code dir="ltr">{row.path}</code>
            <span className="sub">
              {kindText(t, row)}
              {withNeed && row.need && (
                <>
                  {' · '}
                  <b>{t('docs.must')}</b>
                </>
              )}
              {row.in && row.in !== 'body' && ` · ${t(`docs.in.${row.in}`)}`}
            </span>
          </dt>
          <dd>
            <span>{row.meaning}</span>
            {limitsText(t, row).map((limit) => (
              <bdi key={limit} className="sub">
                {limit}
              </bdi>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
