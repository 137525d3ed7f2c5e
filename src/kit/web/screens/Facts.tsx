import { Suspense, type ReactNode } from 'react'
import { Card } from '../parts/Card.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { useSession } from '../session/session.ts'
import { useWords } from '../words/words.tsx'
import { isEmpty } from './checks.ts'
import { FieldCell, isReachable } from './columns.tsx'
import { useDress } from './dress.ts'
import { fieldsOf, type AnyResource, type AnyRow } from './resources.ts'
import './screens.css'

/** What is known of a record, in the groups of its form; what is not known takes no room. */
export function Facts(props: FactsProps) {
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <FactCards {...props} />
    </Suspense>
  )
}

interface FactsProps {
  resource: AnyResource
  row: AnyRow
  elsewhere?: readonly string[]
  /** More cards after those of the form. */
  children?: ReactNode
}

function FactCards({ resource, row, elsewhere = [], children }: FactsProps) {
  const t = useWords()
  const session = useSession()
  useDress(resource)
  const fields = fieldsOf(resource)
  const groups = (resource.form as { section: string; fields: string[] }[])
    .map(({ section, fields: names }) => ({
      section,
      names: names.filter(
        (name) =>
          name !== resource.title &&
          !elsewhere.includes(name) &&
          isReachable(fields[name]!, session) &&
          !isEmpty(row[name]) &&
          row[name] !== false,
      ),
    }))
    .filter(({ names }) => names.length > 0)
  if (groups.length === 0 && !children) return null
  return (
    <div className="d-facts">
      {groups.map(({ section, names }) => (
        <Card key={section} title={t(`${resource.name}.sections.${section}`)}>
          <dl>
            {names.map((name) => (
              <div key={name}>
                <dt>{t(`${resource.name}.fields.${name}`)}</dt>
                <dd>
                  {fields[name]!.kind === 'longText' ? (
                    <span className="d-long" dir="auto">
                      {String(row[name])}
                    </span>
                  ) : (
                    <FieldCell resource={resource} name={name} row={row} t={t} />
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </Card>
      ))}
      {children}
    </div>
  )
}
