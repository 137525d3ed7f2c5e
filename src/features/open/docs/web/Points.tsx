import { Link } from 'react-aria-components/Link'
import { useWords } from '#kit/web/words/words.tsx'
import { points } from '../stripe.ts'
import { codeFor } from './code.ts'
import { Code } from './Panel.tsx'
import { inline } from './Prose.tsx'
import { useTestKey } from './testKey.ts'

/** Each point of the comparison: how both do it, and the call that shows ours. */
export function Points() {
  const t = useWords()
  const key = useTestKey()
  return (
    <ol className="ad-first">
      {points.map(({ key: name, verdict, call, method, path, body, headers }) => (
        <li key={name}>
          <h2>
            {t(`docs.stripe.${name}.title`)} <small className="sub">{t(`docs.stripe.${verdict}`)}</small>
          </h2>
          <p>{inline(t(`docs.stripe.${name}.text`))}</p>
          <Code
            label={t('docs.codeIn') + ' curl'}
            text={codeFor('curl', {
              method,
              url: `${window.location.origin}${path}`,
              body,
              needsKey: true,
              changes: method !== 'GET',
              key: key || 'pk_test_…',
              ...(headers ? { headers } : {}),
            })}
          />
          {!call.startsWith('server.') && (
            <Link href={`/api/doc?call=${call}`} className="aim">
              {call}
            </Link>
          )}
        </li>
      ))}
    </ol>
  )
}
