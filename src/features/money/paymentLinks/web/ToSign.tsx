import { PenLine } from 'lucide-react'
import { formatDay } from '#domain/format.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { ToSign as Waiting } from '../endpoints.ts'
import './paymentLinks.css'

/** The signer's page on whatever host this page was come to by. */
export const pathOf = (url: string): string => new URL(url).pathname

/** What waits for the signature of the person who looks, each with the way to it. Nothing where nothing waits. */
export function ToSign({ rows }: { rows: readonly Waiting[] }) {
  const t = useWords()
  if (!rows.length) return null
  return (
    <Card title={t('customerPages.signTitle')}>
      <Rows>
        {rows.map(({ name, url, until }) => (
          <div key={url}>
            <span className="k-tile">
              <Icon of={PenLine} />
            </span>
            <span className="grow">
              <span className="t">
                <bdi>{name}</bdi>
              </span>
              <span className="s">
                {t('customerPages.signUntil')} <Num>{formatDay(until)}</Num>
              </span>
            </span>
            <Button kind="soft" href={pathOf(url)}>
              {t('customerPages.sign')}
              <span className="vh"> {name}</span>
            </Button>
          </div>
        ))}
      </Rows>
    </Card>
  )
}
