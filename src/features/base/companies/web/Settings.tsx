import {
  Building2,
  ChevronRight,
  CircleUser,
  Ellipsis,
  FileText,
  History,
  List,
  Plug,
  Search,
  SearchX,
  ShieldCheck,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-aria-components/Link'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useModules, useSession } from '#kit/web/session/session.ts'
import { useWording } from '#kit/web/words/wording.ts'
import { useWords } from '#kit/web/words/words.tsx'
import './companies.css'
import { hubOf, type HubGroup } from './hub.ts'

const icons: Record<HubGroup['name'], LucideIcon> = {
  business: Building2,
  documents: FileText,
  security: ShieldCheck,
  people: Users,
  connections: Plug,
  lists: List,
  me: CircleUser,
  trace: History,
  other: Ellipsis,
}

/** Everything that can be set. `/` goes to the search, Enter opens what fits best. */
export function Screen() {
  const t = useWords()
  const { dic } = useWording()
  const { query: place, setQuery } = usePlace()
  const query = place.q ?? ''
  const box = useRef<HTMLInputElement>(null)
  useSession()
  useModules()
  useKeys({ '/': () => box.current?.focus() })
  const groups = hubOf(t, dic ?? {}, query)
  const first = groups[0]?.items[0]
  return (
    <>
      <PageHeader title={t('screens.settings')} />
      <div className="co-find">
        <TextField
          hideLabel
          inputRef={box}
          label={t('companies.hub.search')}
          placeholder={t('companies.hub.search')}
          type="search"
          icon={Search}
          value={query}
          onChange={(q) => setQuery({ q: q || undefined })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && query.trim() && first) go(first.href)
            if (event.key === 'Escape') setQuery({ q: undefined })
          }}
        />
      </div>
      <div role="status" className="vh">
        {query.trim() &&
          t('companies.hub.count', { count: groups.reduce((sum, { items }) => sum + items.length, 0) })}
      </div>
      {groups.length === 0 ? (
        <EmptyState icon={SearchX} title={t('kit.lists.noneFit')} />
      ) : (
        <div className="co-hub">
          {groups.map((group) => (
            <Card
              key={group.name}
              title={
                <span className="co-hub-head">
                  <Icon of={icons[group.name]} /> {t(`companies.hub.${group.name}`)}
                </span>
              }
            >
              <Rows>
                {group.items.map((item) => (
                  <Link key={item.key} href={item.href}>
                    <span className="grow">
                      <span className="t">{item.title}</span>
                      {(item.fields.length > 0 || item.text) && (
                        <span className="s">
                          {item.fields.length > 0 ? item.fields.slice(0, 4).join(' · ') : item.text}
                        </span>
                      )}
                    </span>
                    <Icon of={ChevronRight} m size="s" className="hint" />
                  </Link>
                ))}
              </Rows>
            </Card>
          ))}
        </div>
      )}
    </>
  )
}
