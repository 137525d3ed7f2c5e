// Runs before the first paint, so that a dark page does not flash white and a Latin one does not jump sides.
;(function () {
  function kept(name) {
    try {
      var value = localStorage.getItem(name)
      if (value !== null) return value
    } catch {}
    var found = document.cookie.split('; ').find(function (pair) {
      return pair.indexOf(name + '=') === 0 || pair.indexOf('__Host-' + name + '=') === 0
    })
    return found ? decodeURIComponent(found.slice(found.indexOf('=') + 1)) : null
  }
  var root = document.documentElement
  var dark = kept('darkMode')
  if (dark === null) dark = String(matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.theme = dark === 'true' ? 'dark' : 'light'
  var numbers = { 359: 'he', 139: 'en', 606: 'ru', 15: 'ar', 282: 'fr' }
  function language(said) {
    var code = String(said || '')
      .trim()
      .toLowerCase()
    if (numbers[code]) return numbers[code]
    var two = code.split('-')[0]
    return two === 'iw' ? 'he' : ['he', 'en', 'ar', 'ru', 'fr'].indexOf(two) >= 0 ? two : undefined
  }
  var chosen = language(new URLSearchParams(location.search).get('lang')) || language(kept('langXmlNumber'))
  if (chosen) {
    root.lang = chosen
    root.dir = chosen === 'he' || chosen === 'ar' ? 'rtl' : 'ltr'
  }

  // The words and the code of the first screen and the brand of the domain set out at once. A wrong guess
  // costs their bytes, nothing else.
  var lang = chosen || language(navigator.languages && navigator.languages[0]) || 'he'
  var said = document.getElementById('words')
  if (!said) return
  var page = JSON.parse(said.textContent)
  function ahead(href, rel, as) {
    var link = document.createElement('link')
    link.rel = rel
    link.as = as
    link.crossOrigin = 'anonymous'
    link.href = href
    document.head.append(link)
  }
  ahead('/assets/words/base.' + lang + '-' + page.marks.base + '.json', 'preload', 'fetch')
  var inside = kept('user')
  var isWayIn = /^\/($|log\w*\/?$|signup)/i.test(location.pathname)
  if (page.first)
    page.first[inside ? 'home' : isWayIn ? 'waysIn' : 'others'].forEach(function (file) {
      if (file.endsWith('.css')) ahead('/' + file, 'preload', 'style')
      else ahead('/' + file, 'modulepreload', 'script')
    })
  var asked =
    '/api/user/getTranslateDe?groups=&lang=' + lang + '&domain=' + encodeURIComponent(location.hostname)
  window.early = {
    lang: lang,
    brand: fetch(asked).then(function (answer) {
      if (!answer.ok) throw new Error(String(answer.status))
      return answer.json().then(function (brand) {
        delete brand.dic
        return brand
      })
    }),
  }
  window.early.brand.catch(function () {})

  // What the main page of a business shows is asked for as well; `earlyAnswers.ts` hands the answers out.
  var user
  try {
    user = JSON.parse(inside)
  } catch {}
  if (!user || !user.UserKey || user.TypeID === 2 || !/^\/invoice\/main\/?$/i.test(location.pathname)) return
  var headers = { 'cache-control': 'no-cache', 'x-language': lang, 'x-access-token': user.UserKey }
  if (user.CompanyKey) headers['x-company'] = user.CompanyKey
  window.early.answers = {}
  ;['/api4/invoice/company', '/api4/invoice/homepage'].forEach(function (path) {
    var answer = fetch(path, { headers: headers, credentials: 'same-origin' })
    answer.catch(function () {})
    window.early.answers[path] = { headers: headers, answer: answer }
  })
})()
