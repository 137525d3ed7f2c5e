import { Building2, ChevronRight, CircleUser, FileText, History, List, Search, SearchX, ShieldCheck, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { TextField } from '../../../kit/web/fields/TextField.tsx'
import { Card, Rows } from '../../../kit/web/parts/Card.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Icon } from '../../../kit/web/parts/Icon.tsx'
import { matches } from '../../../kit/web/parts/matches.ts'
import { PageHeader } from '../../../kit/web/parts/PageHeader.tsx'
import { access } from '../../../kit/web/guard.ts'
import { mayDo, useModules, useSession } from '../../../kit/web/session.ts'
import { allScreens } from '../../../kit/web/shell/menu.ts'
import { useWords } from '../../../kit/web/words.tsx'
import './companies.css'

interface Item {
  key: string
  href: string
}

interface Group {
  key: string
  icon: LucideIcon
  items: readonly Item[]
}

/** Everything that can be set, in the groups people look for it. A place whose screen is not there, or not open to one, is absent. */
const groups: readonly Group[] = [
  {
    key: 'business',
    icon: Building2,
    items: [
      { key: 'details', href: '/invoice/InvoiceEditCompany' },
      { key: 'companies', href: '/invoice/InvoiceCompanies' },
    ],
  },
  {
    key: 'documents',
    icon: FileText,
    items: [
      { key: 'design', href: '/invoice/settingsdoc' },
      { key: 'defaults', href: '/invoice/settingsdoc?tab=defaults' },
      { key: 'mail', href: '/invoice/settingsdoc?tab=mail' },
      { key: 'numbering', href: '/invoice/settingsdoc?tab=numbering' },
    ],
  },
  { key: 'security', icon: ShieldCheck, items: [{ key: 'signing', href: '/invoice/InvoiceEditCompany?tab=signing' }] },
  {
    key: 'lists',
    icon: List,
    items: [
      { key: 'items', href: '/invoice/items' },
      { key: 'customers', href: '/invoice/InvoiceCustomers' },
      { key: 'accounts', href: '/invoice/cardskarteset' },
    ],
  },
  { key: 'me', icon: CircleUser, items: [{ key: 'account', href: '/invoice/account' }] },
  {
    key: 'trace',
    icon: History,
    items: [
      { key: 'audit', href: '/invoice/audit' },
      { key: 'messages', href: '/invoice/emailreport' },
    ],
  },
]

export function Screen() {
  const t = useWords()
  const session = useSession()
  const modules = useModules()
  const [query, setQuery] = useState('')
  const isThere = (href: string) => {
    const path = href.split('?')[0]!.toLowerCase()
    const screen = allScreens().find((one) => one.path.toLowerCase() === path)
    return screen !== undefined && session !== undefined && access(screen, session, mayDo, modules).kind === 'open'
  }
  const text = (group: Group, item: Item) =>
    `${t(`companies.hub.${group.key}`)} ${t(`companies.hub.${item.key}.title`)} ${t(`companies.hub.${item.key}.text`)}`
  const shown = groups
    .map((group) => ({
      ...group,
      items: group.items.filter((item) => isThere(item.href) && (query.trim() === '' || matches(text(group, item), query))),
    }))
    .filter((group) => group.items.length > 0)
  return (
    <>
      <PageHeader title={t('screens.settings')} />
      <div className="co-find">
        <TextField
          hideLabel
          label={t('companies.hub.search')}
          placeholder={t('companies.hub.search')}
          type="search"
          icon={Search}
          value={query}
          onChange={setQuery}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState icon={SearchX} title={t('kit.lists.noneFit')} />
      ) : (
        <div className="co-hub">
          {shown.map((group) => (
            <Card key={group.key} title={t(`companies.hub.${group.key}`)}>
              <Rows>
                {group.items.map((item, i) => (
                  <Link key={item.key} href={item.href}>
                    <span className="k-tile" style={i === 0 ? undefined : { visibility: 'hidden' }}>
                      <Icon of={group.icon} />
                    </span>
                    <span className="grow">
                      <span className="t">{t(`companies.hub.${item.key}.title`)}</span>
                      <span className="s">{t(`companies.hub.${item.key}.text`)}</span>
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
