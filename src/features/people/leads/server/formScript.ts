/**
 * The script that embeds a form in a page of another site. Plain JavaScript without dependencies, because none of
 * our code runs there. It draws the form inside a shadow root, so that neither style affects the other, validates
 * and submits. It sets no cookie, stores nothing and loads nothing else.
 */
export const script = (door: string): string => `(()=>{
const door=${JSON.stringify(door)};
const me=document.currentScript;
const lang=(me&&me.dataset.lang)||document.documentElement.lang.slice(0,2);
const campaign=(me&&me.dataset.campaign)||new URLSearchParams(location.search).get('utm_campaign')||'';
const host=document.createElement('div');
if(me)me.after(host);else document.body.append(host);
const root=host.attachShadow({mode:'open'});
const el=(tag,props,...kids)=>{const one=Object.assign(document.createElement(tag),props);one.append(...kids);return one};
const leads=(text,bits)=>crypto.subtle.digest('SHA-256',new TextEncoder().encode(text)).then(hash=>{const bytes=new Uint8Array(hash);let left=bits;for(const byte of bytes){if(left<=0)return true;if(left>=8?byte!==0:byte>>(8-left)!==0)return false;left-=8}return true});
const work=async(challenge,bits)=>{if(!crypto.subtle)return '';for(let n=0;n<4194304;n++)if(await leads(challenge+':'+n,bits))return String(n);return ''};
fetch(door+'?lang='+encodeURIComponent(lang),{credentials:'omit'}).then(r=>r.ok?r.json():Promise.reject()).then(shown=>{
const w=shown.words;
const rtl=shown.language==='he'||shown.language==='ar';
root.append(el('style',{textContent:':host{all:initial;display:block}form{display:grid;gap:12px;max-width:28rem;font:16px/1.5 system-ui,sans-serif;color:inherit}label{display:grid;gap:4px}input,textarea,select{font:inherit;padding:8px 10px;border:1px solid #7d8a85;border-radius:8px;min-height:44px;box-sizing:border-box;width:100%}button{font:inherit;font-weight:500;min-height:44px;border:0;border-radius:8px;background:#0b5d52;color:#fff;cursor:pointer;padding:0 20px}button[disabled]{opacity:.6}.x{position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden}p{margin:0}[role=alert]{color:#b3261e}'}));
const form=el('form',{dir:rtl?'rtl':'ltr',lang:shown.language,noValidate:true});
const inputs={};
const add=(name,label,control)=>{inputs[name]=control;control.name=name;form.append(el('label',{},el('span',{textContent:label}),control))};
add('name',w.name,el('input',{autocomplete:'name',maxLength:200,required:true}));
add('phone',w.phone,el('input',{type:'tel',autocomplete:'tel',maxLength:40,dir:'ltr'}));
add('email',w.email,el('input',{type:'email',autocomplete:'email',maxLength:320,dir:'ltr'}));
const own=shown.fields.map(field=>{const control=field.kind==='choice'?el('select',{},el('option',{value:''}),...field.choices.map(one=>el('option',{value:one,textContent:one}))):el('input',{type:field.kind==='number'?'number':field.kind==='day'?'date':field.kind==='flag'?'checkbox':'text',maxLength:2000});add('own.'+field.id,field.name,control);return[field,control]});
add('message',w.message,el('textarea',{rows:4,maxLength:5000}));
const trap=el('div',{className:'x',ariaHidden:'true'},el('input',{name:'website',tabIndex:-1,autocomplete:'off'}));
const said=el('p',{role:'alert'});
const button=el('button',{type:'submit',textContent:w.send});
form.append(trap,said,button);
root.append(form);
const proof=work(shown.challenge,shown.bits);
form.addEventListener('submit',async event=>{event.preventDefault();said.textContent='';
const text=name=>inputs[name].value.trim();
if(!text('name')){said.textContent=w.needName;inputs.name.focus();return}
if(text('phone').replace(/\\D/g,'').length<7&&!/@.+\\./.test(text('email'))){said.textContent=w.needReach;inputs.phone.focus();return}
button.disabled=true;button.textContent=w.sending;
const values={};for(const[field,control]of own){const value=field.kind==='flag'?control.checked:field.kind==='number'?(control.value===''?null:Number(control.value)):(control.value||null);if(value!==null)values[field.id]=value}
try{const answer=await fetch(door,{method:'POST',credentials:'omit',headers:{'content-type':'application/json'},body:JSON.stringify({name:text('name'),phone:text('phone'),email:text('email'),message:text('message'),campaign,own:values,website:trap.firstChild.value,challenge:shown.challenge,proof:await proof})});
const body=await answer.json();
if(!answer.ok)throw new Error((body.errors&&body.errors.length?w.needReach:body.title)||w.failed);
form.replaceChildren(el('p',{role:'status',textContent:body.thanks}))}
catch(error){said.textContent=error&&error.message&&!(error instanceof TypeError)?error.message:w.failed;button.disabled=false;button.textContent=w.send}});
}).catch(()=>host.remove());
})();
`
