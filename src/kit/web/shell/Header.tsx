import { Bell, CircleHelp, CircleUserRound, LogOut, PanelLeft, Search } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { logOut } from '../session/account.ts'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Kbd } from '../parts/Kbd.tsx'
import { useSession } from '../session/session.ts'
import { useBrand } from '../words/wording.ts'
import { useWords } from '../words/words.tsx'
import { allScreens } from './menu.ts'
import { useCompanyDoor } from './company.ts'
import { useShell } from './context.ts'
import { LanguageMenu } from './LanguageMenu.tsx'
import { LazyMenu } from './LazyMenu.tsx'
import { Logo } from './Logo.tsx'
import { ThemeButton } from './PublicFrame.tsx'
import { useBell } from './bell.ts'
import { useFitting, useRegistry } from './registry.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
/** The chord of the palette as this keyboard writes it. */
export const paletteKeys = isMac ? '⌘ K' : 'Ctrl K'

/** Up to two letters of a name. */
export const initials = (name: string): string =>
  name
    .trim()
    .split(/[\s־-]+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()

/** Above every page: the panel's switch, the logo, the company, the search, and what is the person's own. */
export function Header({ isPanelOpen, onPanel }: { isPanelOpen: boolean; onPanel: () => void }) {
  const t = useWords()
  const session = useSession()!
  const brand = useBrand()
  const { openPalette, help } = useShell()
  const { logo, news } = useFitting()
  const { Part: Company } = useCompanyDoor()
  useRegistry()
  const bell = useBell()
  const account = allScreens().find(({ path }) => path === '/invoice/account')
  const companies = allScreens().find(({ path }) => path.toLowerCase() === '/invoice/invoicecompanies')
  return (
    <header className="s-top">
      <Button
        kind="quiet"
        icon={PanelLeft}
        m
        className="s-toggle"
        label={t(isPanelOpen ? 'kit.shell.menuClose' : 'kit.shell.menuOpen')}
        expanded={isPanelOpen}
        onPress={onPanel}
      />
      {/* The specification leads the logo to the invoice log-in; the guard makes it the main page of a logged-in
          person. */}
      <Link className="s-brand" href="/logininvoice" aria-label={t('kit.shell.toMain', { name: brand.name })}>
        <Logo src={logo} />
        {!logo && <span className="name">{brand.name}</span>}
      </Link>
      {session.Name && (
        <>
          <span className="s-vr s-wide-only" aria-hidden />
          {Company ? (
            <span className="s-wide-only">
              <Company />
            </span>
          ) : companies ? (
            <Link className="s-company s-wide-only" href={companies.path}>
              <bdi className="cut">{session.Name}</bdi>
            </Link>
          ) : (
            <span className="s-company s-wide-only">
              <bdi className="cut">{session.Name}</bdi>
            </span>
          )}
        </>
      )}
      <button type="button" className="s-find" onClick={openPalette} aria-haspopup="dialog">
        <Icon of={Search} />
        <span className="cut" title={t('kit.palette.placeholder')}>
          {t('kit.palette.placeholder')}
        </span>
        <Kbd keys={paletteKeys} />
      </button>
      <span className="s-mine">
        <span className="s-narrow-only">
          <Button
            kind="quiet"
            icon={Search}
            label={t('kit.palette.label')}
            hasPopup="dialog"
            onPress={openPalette}
          />
        </span>
        {help && (
          <span className="s-help-mark" data-news={news ? '' : undefined}>
            <Button
              kind="quiet"
              icon={CircleHelp}
              label={t(news ? 'kit.shell.helpNews' : 'kit.shell.help')}
              expanded={help.isOpen}
              onPress={help.toggle}
            />
          </span>
        )}
        <span className="s-wide-only">
          <ThemeButton />
        </span>
        <span className="s-wide-only">
          <LanguageMenu />
        </span>
        <span className="s-bell" data-unread={bell.unread > 0 ? '' : undefined}>
          <Button
            kind="quiet"
            icon={Bell}
            label={bell.unread > 0 ? t('kit.shell.bellUnread', { count: bell.unread }) : t('kit.shell.bell')}
            hasPopup="dialog"
            onPress={bell.open}
          />
        </span>
        <LazyMenu
          label={t('kit.shell.person')}
          trigger={{
            text: <span className="s-avatar">{initials(session.FullName || session.Name) || '•'}</span>,
            label: t('kit.shell.personOf', { name: session.FullName || session.Name }),
            className: 's-person',
          }}
          items={[
            ...(account
              ? [{ key: 'account', label: t('screens.account'), icon: CircleUserRound, href: account.path }]
              : []),
            { key: 'out', label: t('kit.shell.logOut'), icon: LogOut, m: true, onPress: () => logOut() },
          ]}
        />
      </span>
    </header>
  )
}
