import { NotGot } from '#kit/server/outside/getOutside.ts'

/**
 * A stand-in of the Graph API: a page by its token, and the leads people left on it. For development and
 * tests.
 */
export const standingPage = {
  token: 'page-token-of-the-stand-in',
  leads: new Map<
    string,
    { created_time: string; form_id: string; field_data: { name: string; values: string[] }[] }
  >(),
  mood: 'well' as 'well' | 'down',
}

/** It answers 400 to a token it does not know and to a lead it has not, 500 when it is down. */
export function simulatedGraph(url: string): Promise<Uint8Array> {
  const { pathname, searchParams } = new URL(url)
  const id = /^\/v\d+\.\d+\/(\d+)$/.exec(pathname)?.[1]
  const lead = id === undefined ? undefined : standingPage.leads.get(id)
  if (standingPage.mood === 'down' || searchParams.get('access_token') !== standingPage.token || !lead)
    return Promise.reject(new NotGot('status'))
  const wanted = (searchParams.get('fields') ?? '').split(',')
  return Promise.resolve(
    Buffer.from(
      JSON.stringify({
        ...Object.fromEntries(Object.entries(lead).filter(([name]) => wanted.includes(name))),
        id,
      }),
    ),
  )
}
