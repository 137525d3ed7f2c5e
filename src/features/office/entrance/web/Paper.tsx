import { formatMoney } from '#domain/format.ts'
import { timesRate } from '#domain/money.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { useWords } from '#kit/web/words/words.tsx'

export interface PaperProps {
  name?: string
  kind?: string
  taxId?: string
  contact?: readonly string[]
}

/**
 * The invoice a new business will send, filled with what is typed. A picture: screen readers hear its caption
 * instead.
 */
export function Paper({ name, kind, taxId, contact = [] }: PaperProps) {
  const t = useWords()
  const lines = [1, 2, 3] as const
  const rate = vatRateOn(useToday())
  const vat = timesRate(net, rate, 'halfAwayFromZero')
  return (
    <>
      <div className="a-paper" aria-hidden="true">
        <article>
          <span className="strip" />
          <div className="head">
            <div>
              <b dir="auto">{name || t('session.paper.name')}</b>
              <small>
                {kind || t('session.kind.licensedDealer')} <bdi className="num">{taxId || '777777715'}</bdi>
                {(contact.length > 0 ? contact : ['050-555-0142', 'office@kav-zerem.example']).map((one) => (
                  <span key={one}>
                    <br />
                    <bdi className="num">{one}</bdi>
                  </span>
                ))}
              </small>
            </div>
            <svg viewBox="0 0 40 40">
              <rect width="40" height="40" rx="9" fill="#0b5d52" />
              <path d="M22 7 12 22h7l-2 11 11-16h-7z" fill="#fff" />
            </svg>
          </div>
          <div className="top">
            <div>
              <h2>{t('session.paper.title')}</h2>
              <small>{t('session.paper.draft')}</small>
            </div>
            <small>
              {t('session.paper.date')} <bdi className="num">20/11/2026</bdi>
            </small>
          </div>
          <div className="to">
            <small>{t('session.paper.to')}</small>
            <div>{t('session.paper.customer')}</div>
          </div>
          <table>
            <thead>
              <tr>
                <th>{t('session.paper.item')}</th>
                <th className="amount">{t('session.paper.quantity')}</th>
                <th className="amount">{t('session.paper.price')}</th>
                <th className="amount">{t('session.paper.sum')}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((n) => (
                <tr key={n}>
                  <td>{t(`session.paper.line${n}`)}</td>
                  {figures[n].map((figure, i) => (
                    <td key={i} className="amount">
                      <bdi className="num">{figure}</bdi>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <div className="sums">
            <span>{t('session.paper.subtotal')}</span>
            <bdi className="num">{formatMoney(net)}</bdi>
            <span>
              {t('session.paper.vat')} <bdi className="num">{rate / 100}%</bdi>
            </span>
            <bdi className="num">{formatMoney(vat)}</bdi>
            <span className="all">{t('session.paper.total')}</span>
            <bdi className="num all">₪{formatMoney(net + vat)}</bdi>
          </div>
          <small className="thanks">{t('session.paper.thanks')}</small>
        </article>
      </div>
      <p className="a-paper-say">{t('session.paper.say')}</p>
    </>
  )
}

/** What the lines come to before VAT. */
const net = 901_500
const figures = {
  1: ['1', '6,400.00', '6,400.00'],
  2: ['18', '42.50', '765.00'],
  3: ['1', '1,850.00', '1,850.00'],
} as const
