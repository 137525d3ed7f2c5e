import pg from 'pg'
import { bookLines } from '#domain/closing/closing.ts'
import { addMonths, dayInJerusalem, startOfMonth } from '#domain/day.ts'
import { completeCheckDigit } from '#domain/taxId.ts'
import { ms, quantile, type Figure } from './figures.ts'
import { ask, json, type Running } from './server.ts'

/** The page of an office with 200 clients, each with a month that was summed up. */
export async function measureOffice({
  server,
  databaseUrl,
  tries,
}: {
  server: Running
  databaseUrl: string
  tries: number
}): Promise<Figure[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => {})
  try {
    const { url } = server
    const made = json<{ UserKey: string; CompanyKey: string }>(
      await ask(url, 'POST', '/api/user/signupcpa', {
        body: {
          email: `office${Date.now()}@example.com`,
          password: 'a long enough password',
          fullName: 'דנה אלון',
          office: {
            name: 'אלון ושות׳',
            kind: 'partnership',
            taxId: completeCheckDigit(String(55_800_000 + (Date.now() % 99_999))),
          },
          termsAccepted: true,
        },
      }),
    )
    const { UserKey: token, CompanyKey: office } = made
    const month = startOfMonth(addMonths(dayInJerusalem(new Date()), -1))
    const lines = bookLines.map((line, n) => ({
      line,
      count: n % 3,
      state: n % 3 ? 'look' : 'ok',
      open: '/invoice/main',
      isSigned: false,
      signedBy: null,
      signedAt: null,
    }))
    const facts = {
      lines,
      requestsOpen: 2,
      requestsAnswered: 1,
      isTouched: true,
      isClosed: false,
      isPaid: false,
      said: null,
      note: '',
      vat: null,
      advance: null,
    }
    await pool.query(
      `with made as (insert into companies (id, name, kind, tax_id, demo) select new_event_id(), 'לקוח ' || n, 'licensedDealer', lpad(n::text, 9, '3'), true from generate_series(1, 200) n returning id),
        asked as (insert into engagements (company_id, client_id, state, rights, responsible_id, asked_by, consented_by, consented_at, summed_at)
          select $1, id, 'active', '{enter,post,close,file}', m.user_id, m.user_id, m.user_id, now(), now() from made, memberships m where m.company_id = $1 returning client_id)
        insert into duty_summaries (company_id, client_id, month, facts) select $1, id, $2, $3 from made`,
      [office, month, JSON.stringify(facts)],
    )
    await pool.query('analyze engagements; analyze duty_summaries; analyze companies')
    const took: number[] = []
    for (let n = 0; n < tries; n++) {
      const began = performance.now()
      const answer = await ask(url, 'GET', `/api5/invoicecpa/office/clients?month=${month.slice(0, 7)}`, {
        token,
      })
      if (json<{ rows: unknown[] }>(answer).rows.length !== 200)
        throw new Error('the page of the office lacks clients')
      took.push(performance.now() - began)
    }
    return [
      {
        part: 'The office',
        name: 'page of 200 clients, p95',
        value: ms(quantile(took, 0.95)),
        goal: '<= 100 ms',
        ok: quantile(took, 0.95) <= 100,
      },
    ]
  } finally {
    await pool.end()
  }
}
