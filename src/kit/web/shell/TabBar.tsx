import { FileText, House, Menu as MenuIcon, Plus, Users, type LucideIcon } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { mainPath } from '../session/guard.ts'
import { Icon } from '../parts/Icon.tsx'
import { useSession } from '../session/session.ts'
import { useWords } from '../words/words.tsx'
import type { Entry, Group } from './menu.ts'
import { newThings, useRegistry } from './registry.ts'
import { fetchPart } from '../calls/fetchPart.ts'

const PlusSheet = lazy(() =>
  fetchPart(() => import('./PlusSheet.tsx')).then(({ PlusSheet }) => ({ default: PlusSheet })),
)

/** The phone's bar: home, documents, plus, customers, more. What one may not open is absent. */
export function TabBar({
  here,
  groups,
  onMore,
  isMoreOpen,
}: {
  here: Entry | undefined
  groups: readonly Group[]
  onMore: () => void
  isMoreOpen: boolean
}) {
  const t = useWords()
  const session = useSession()!
  const [isOpen, setOpen] = useState(false)
  useRegistry()
  const entry = (path: string) =>
    groups.flatMap(({ all }) => all).find(({ href }) => href.toLowerCase() === path)
  const documents = entry('/invoice/documents')
  const customers = entry('/invoice/invoicecustomers')
  return (
    <nav className="s-tabs" aria-label={t('kit.shell.tabs')}>
      <Tab
        icon={House}
        href={mainPath(session)}
        word={t('menu.home')}
        on={here?.href.toLowerCase() === mainPath(session)}
      />
      {documents && (
        <Tab
          icon={FileText}
          href={documents.href}
          word={t('kit.shell.tabDocuments')}
          on={here?.group === 'sales'}
        />
      )}
      {newThings.length > 0 && session.IsActiveButton && (
        <button
          type="button"
          className="s-plus"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-label={t('kit.shell.new')}
          onClick={() => setOpen(true)}
        >
          <Icon of={Plus} size="l" />
        </button>
      )}
      {customers && (
        <Tab
          icon={Users}
          href={customers.href}
          word={t('kit.shell.tabCustomers')}
          on={here?.group === 'people'}
        />
      )}
      <button
        type="button"
        className="s-tab"
        aria-haspopup="dialog"
        aria-expanded={isMoreOpen}
        onClick={onMore}
      >
        <Icon of={MenuIcon} size="l" />
        <span>{t('kit.shell.tabMore')}</span>
      </button>
      <Suspense>{isOpen && <PlusSheet onClose={() => setOpen(false)} />}</Suspense>
    </nav>
  )
}

const Tab = ({ icon, href, word, on }: { icon: LucideIcon; href: string; word: string; on: boolean }) => (
  <Link className="s-tab" href={href} data-on={on ? '' : undefined} aria-current={on ? 'page' : undefined}>
    <Icon of={icon} size="l" />
    <span>{word}</span>
  </Link>
)
