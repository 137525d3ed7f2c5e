import { Link } from 'react-aria-components/Link'
import { useWords } from '#kit/web/words/words.tsx'
import { firstSteps } from '../firstSteps.ts'
import { codeFor } from './code.ts'
import { Code } from './Panel.tsx'
import { useTestKey } from './testKey.ts'
import { Prose } from './Prose.tsx'

/** The steps from a key to a sealed PDF, each a line to copy. */
export function FirstSteps() {
  const t = useWords()
  const key = useTestKey()
  return (
    <ol className="ad-first">
      {firstSteps.map(({ key: name, call, method, path, body }) => (
        <li key={name}>
          <Prose text={t(`docs.first.${name}`)} />
          <Code
            label={t('docs.codeIn') + ' curl'}
            text={codeFor('curl', {
              method,
              url: `${window.location.origin}${path}`,
              body,
              needsKey: true,
              changes: method !== 'GET',
              key: key || 'pk_test_…',
            })}
          />
          <Link href={`/api/doc?call=${call}`} className="aim">
            {call}
          </Link>
        </li>
      ))}
    </ol>
  )
}
