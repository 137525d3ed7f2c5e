import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { useScreen } from '#kit/web/routes/screenNow.ts'
import { LanguageMenu } from '#kit/web/shell/LanguageMenu.tsx'
import { Logo } from '#kit/web/shell/Logo.tsx'
import { PublicFoot, ThemeButton } from '#kit/web/shell/PublicFrame.tsx'
import { useBrand } from '#kit/web/words/wording.ts'
import { useWords } from '#kit/web/words/words.tsx'
import './account.css'

export interface AccountFrameProps {
  title: string
  sub?: ReactNode
  /** The way to the other page, at the inline end of the head. */
  other?: { ask: string; word: string; href: string }
  /** The other half of a wide window. */
  aside?: ReactNode
  wide?: boolean
  children: ReactNode
}

/** Log-in, sign-up and resets: the form on one side, on a wide window the paper it leads to on the other. */
export function AccountFrame({ title, sub, other, aside, wide, children }: AccountFrameProps) {
  const t = useWords()
  const brand = useBrand()
  const screen = useScreen()
  return (
    <div className="a-split" data-aside={aside ? '' : undefined}>
      <div className="a-side">
        <header className="a-top">
          <Link className="s-brand" href="/login" aria-label={brand.name}>
            <Logo />
            <span className="name">{brand.name}</span>
          </Link>
          <span className="grow" />
          {other && (
            <span className="a-other">
              <span className="hint">{other.ask}</span>{' '}
              <Link className="link" href={other.href}>
                {other.word}
              </Link>
            </span>
          )}
          <ThemeButton />
          <LanguageMenu full />
        </header>
        <main
          id="content"
          tabIndex={-1}
          className="a-main"
          data-wide={wide ? '' : undefined}
          data-screen={screen?.name}
        >
          <div className="a-title">
            <h1>{title}</h1>
            {sub && <p>{sub}</p>}
          </div>
          {children}
        </main>
        <PublicFoot />
      </div>
      {aside && (
        <aside className="a-aside" aria-label={t('session.paper.label')}>
          {aside}
        </aside>
      )}
    </div>
  )
}
