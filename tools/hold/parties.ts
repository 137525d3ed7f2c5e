import { createServer as createHttp } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/* Whom the server of `npm run test:hold` speaks with: a mail server, WebDAV servers, and clients that behave badly. */

const portOf = (server: Server): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )

export interface MailServer {
  url: string
  /** Accepts connections and says nothing while it is set. */
  isSilent: boolean
  /** How long it takes to accept a mail. */
  delayMs: number
  /** Addresses, and when each mail was accepted (`performance.now`). */
  accepted: { to: string; at: number }[]
  /** Connections that were answered with silence. */
  kept: number
  close: () => void
}

export async function startMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (mail.isSilent) return void mail.kept++
    let to = ''
    let rest = ''
    let isData = false
    const say = (line: string) => void socket.write(`${line}\r\n`)
    say('220 hold.example')
    socket.on('data', (bytes) => {
      rest += bytes.toString('latin1')
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (isData) {
          if (line !== '.') continue
          isData = false
          const accepted = to
          void pause(mail.delayMs).then(() => {
            mail.accepted.push({ to: accepted, at: performance.now() })
            say('250 accepted')
          })
        } else if (/^DATA/i.test(line)) {
          isData = true
          say('354 go on')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else {
          to = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1] ?? to
          say('250 ok')
        }
      }
    })
  })
  const mail: MailServer = {
    url: `smtp://127.0.0.1:${await portOf(server)}`,
    isSilent: false,
    delayMs: 0,
    accepted: [],
    kept: 0,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return mail
}

export interface DavServer {
  url: string
  /** When each file arrived, by `performance.now`. */
  files: number[]
  close: () => void
}

/**
 * A WebDAV server; one that drips takes the trial file of a new place, and then answers a byte of its head each second,
 * which no limit on silence ends.
 */
export async function startDav(drips: boolean): Promise<DavServer> {
  const files: number[] = []
  const dripping = new Set<Socket>()
  const timer = setInterval(() => {
    for (const socket of dripping) socket.write('.')
  }, 1000)
  const server = createHttp((request, response) => {
    request.resume()
    request.on('end', () => {
      const isTrial = request.url!.endsWith('/pinkas.txt')
      if (request.method === 'PUT' && !isTrial) files.push(performance.now())
      if (!drips || isTrial) return void response.writeHead(201).end()
      const { socket } = request
      socket.on('close', () => dripping.delete(socket)).on('error', () => {})
      socket.write('HTTP/1.1 201 Created\r\nx-drip: ')
      dripping.add(socket)
    })
  })
  return {
    url: `http://127.0.0.1:${await portOf(server)}/dav/`,
    files,
    close: () => {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A client that asks and then reads nothing. */
export function askWithoutReading(url: string, path: string, token: string): Promise<Socket> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.pause()
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-access-token: ${token}\r\n\r\n`)
      resolve(socket)
    })
    socket.on('error', reject)
  })
}
