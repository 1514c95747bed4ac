/**
 * Words of requests in German, French, Spanish and Japanese. Each line has English words, a colon and the words of
 * other languages without accents. A star means any ending. The first line has words that tools have no word for.
 */
export const otherLanguages = `
: bitte mal mir mich ich du der die das den dem des ein eine einen einem einer eines und oder mit von vom im zum zur auf fur uber hat habe haben sind ist wird werden kannst konntest konnen dass sich es alle* moi mon ma mes le la les l d du des un une et ou avec dans sur pour que qui est sont s il te te plait veuillez peux tu vous je nous avons ai el los las lo una unos unas y o con en por favor para mi mis tu de del al es son me nos hay este esta esto ese esa a au aux ce cette ces si un sie ihm ihr meine* mein unser* nuestr* notre nos ください 下さい お願い
please : bitte plait favor ください 下さい
create new make : erstell* anleg* lege leg erzeug* schaff* neue neuen neuer neues cree creer creez nouveau nouvel nouvelle crea crear nuevo nueva cree 作成 作って 新しい 新規 作る
add : hinzufug* fuge erganz* ajoute* ajouter anade anadir agrega* 追加
delete remove : losch* entfern* supprim* efface* enlev* elimin* borra* quita* 削除 消して 消す
read : lese lesen vorles* lis lire lisez lee leer lea 読んで 読む 読み 読ん
show : zeig* anzeig* montre* affich* muestra* mostrar ensena* 見せて 表示 見たい
list which : welche* aufliste* liste* quels quelles quel quelle cuales cual que_hay 一覧 どの リスト
what : was que cual 何 なに
content contents : inhalt* steht contenu* contenido* 内容 中身
when : wann quand cuando いつ
where : wo ou donde どこ
who : wer qui quien quienes 誰 だれ
how many count : wieviel* viele combien cuantos cuantas いくつ 何件 何人
search find : such* find* cherch* trouve* recherch* busca* encuentra* encontrar 検索 探して 探す 調べて
change edit update : ander* bearbeit* aktualisier* modifi* changer changez mets met cambia* edita* actualiz* modific* 変更 編集 更新 修正
rename move : benenn* umbenenn* renomm* renombr* 名前を変え
move : verschieb* deplac* mueve* mover 移動
copy : kopier* copi* コピー
save write : speicher* sicher* enregistr* sauvegard* guarda* 保存
write post send : schreib* schick* send* sag* ecri* envoi* dis escrib* envia* manda* di 書いて 書く 送って 送信 投稿
answer reply : antwort* repond* respond* contesta* 返信 返事 答え
open : offne* ouvr* abre* abrir 開いて 開く
close : schliess* schliesse* ferme* cierra* cerrar 閉じて 閉じる
start run : start* lanc* demarr* inici* ejecut* ausfuhr* fuhre 開始 実行 起動
again restart : neu
change rename : 変え
file name rename : ファイル名
restart : neustart* redemarr* reinici* 再起動
stop cancel : stopp* abbrech* absag* arret* annul* cancel* det* para 停止 止めて キャンセル 中止
upload : hochlad* lade televers* sub* アップロード
download : herunterlad* runterlad* telecharg* descarg* ダウンロード
click press : klick* druck* clique* appuie* cliqu* haz_clic pulsa* presion* clic クリック 押して
remember memory : merk* erinner* merke souviens rappelle* memoris* recuerd* acuerd* 覚えて 記憶
forget delete memory : vergiss vergess* oubli* olvid* 忘れて
compare : vergleich* compar* 比較
translate convert : ubersetz* umrechn* tradui* convert* traduc* 翻訳 変換
merge : zusammenfuhr* fusion* fusiona* マージ
assign : zuweis* attribu* asign* 割り当て
book schedule : buch* plan* reserv* planifi* agend* 予約 予定
pay : zahl* bezahl* paie* paye* paga* 支払
check status : pruf* uberpruf* verifi* comprueb* verific* 確認 チェック
file : datei* dokument* fichier* archivo* fichero* ファイル 書類 文書
folder directory : ordner* verzeichnis* dossier* repertoire* carpeta* directorio* フォルダ フォルダー ディレクトリ
picture image : bild* foto* photo* imagen* imagenes 画像 写真
text : texte texto テキスト 文章
page : seite* pagina* ページ
website page browser : webseite* website* webpage* site sitio* サイト ウェブ ブラウザ
link url : adresse_der enlace* lien* リンク
button : knopf schaltflache* bouton* boton* ボタン
form field : formular* feld* formulaire* champ* formulario* campo* フォーム 入力
screenshot : bildschirmfoto* capture captura* スクリーンショット
screen window : fenster* fenetre* ventana* pantalla* 画面 ウィンドウ
message news : nachrichten
message : nachricht* mitteilung* mensaje* メッセージ
channel : kanal* kanale* canal canaux canales チャンネル
thread conversation : gesprach* unterhaltung* conversation* conversacion* スレッド 会話
reaction : reagier* reagi* reacciona* pulgar pouce daumen リアクション
team users members : mitglied* benutzer* nutzer* utilisateur* membre* usuario* miembro* equipo equipe ユーザー メンバー チーム
person contact : person* personne* persona* kontakt* contacto* 人 連絡先
email mail : e_mail* courriel* correo* メール
calendar : kalender* calendrier* agenda calendario* カレンダー
event appointment meeting : termin* besprechung* treffen* rendez rdv reunion* cita evento* 会議 イベント ミーティング
task : aufgabe* tache* tarea* タスク
note : notiz* notizen nota notas メモ ノート
comment : kommentar* kommentier* commentaire* comment* comentari* コメント
repository : depot* repositorio* リポジトリ レポジトリ
branch : zweig* branche* rama* ブランチ
issue ticket bug : fehler* probleme* ticket* billet* problema* incidencia* error* イシュー 課題 バグ 問題 エラー
pull_request : プルリクエスト プルリク
commit : コミット
changes diff : anderungen changements cambios 差分 変更点
history log : verlauf* historique* historial* 履歴
status : zustand* etat estado* 状態 ステータス
open pending : offen* ouvert* ouvertes abiert* 未完了 開いている
code : quelltext quellcode コード
database : datenbank* base_de_donnees base_de_datos bdd donnees datos データベース
table : tabelle* tableau* tabla* テーブル 表
row record : zeile* eintrag* ligne* enregistrements fila* registro* 行 レコード
customer : kund* client clients clientes cliente 顧客 お客
order : bestellung* commande* pedido* 注文
invoice : rechnung* facture* factura* 請求書
price : preis* prix precio* 値段 価格
map location place : karte* ort orte carte lieu* endroit* mapa* lugar* 地図 場所
address : adresse* anschrift* direccion* 住所
coordinates geocode : koordinaten coordonnees coordenadas 座標
route directions : komme weg route itinerair* chemin aller trajet ruta* camino llego llegar 行き方 道順 経路
distance : entfernung* weit distance* distancia* lejos 距離
restaurant places near : restaurant* cafe nahe pres cerca レストラン 近く 近くの
height elevation : hoch hohe altitude* hauteur altura* altitud* 標高 高さ
weather : wetter* meteo* clima tiempo 天気
time current : uhrzeit spat zeit heure* hora* 時刻 時間 何時
date today day : datum heute aujourd jour hoy fecha 日付 今日
timezone : zeitzone* fuseau* huso* タイムゾーン
tomorrow event : morgen demain manana 明日
yesterday : gestern hier ayer 昨日
news web search : neuigkeit* aktuell* actualit* nouvelles noticias ニュース 最新
internet web : im_internet netz internet ネット インターネット
research : recherchier* forsch* untersuch* investiga* 研究 調査
article : artikel* article* articulo* 記事
graph knowledge : wissen* connaissance* conocimiento* 知識
relation : beziehung* relation* relacion* 関係
sum add numbers : summe addier* plus somme suma* 足し 合計
logs : protokoll* journaux registros ログ
pod container : ポッド コンテナ
deployment : bereitstell* deploiement* despliegue* デプロイ
password login : passwort* kennwort* anmeld* mot_de_passe contrasena* パスワード ログイン
setting config : einstellung* parametr* reglage* ajuste* configur* 設定
size : grosse* gross taille* tamano* サイズ 大きさ
modified : geandert modifie modifico modificado 更新日
structure tree : struktur* arborescence* estructura* 構造 ツリー
light : licht* lampe* lumiere* luz luces ライト 電気
music song playback : musik* lied* musique* chanson* musica* cancion* 音楽 曲
video : film* pelicula* 動画 ビデオ
price stock : aktie* action_en_bourse accion* 株
payment : zahlung* paiement* pago* 支払い
popular : beliebt* populaire* popular* 人気
all : tous toutes tout todos todas alles 全部 すべて 全て
create make : mach* fais faire haz hacer richte einricht* etablis etablir prepare prepara*
add : fugt fugen setze setz trag eintrag* inscris inscrire apunta anota* incluye mete meter
write note : notier* schreibe aufschreib* note noter anotar
delete remove : tilg* wegwerf* wirf loesch* loschen retire retirer ote oter jette jeter elimina suprim* tira tirar
cancel : storn* abbestell* annule annuler cancela* anula*
refund money : erstatt* ruckerstatt* rembours* reembols* devuelve devolver zuruckzahl*
return order : retour* zuruckgab* zurucksend* rucksend* renvoi* devolucion*
order buy purchase : kauf* bestell* achat* achete acheter command* compr*
sell sales report : verkauf* umsatz* vend* vente* ventas vendimos vendido chiffre_d_affaires facturacion
ship send order : versand* verschick* liefer* livr* expedi* entreg* envio
package parcel tracking : paket* sendung* colis paquete*
product item : produkt* ware* artikel* produit* article* producto*
stock inventory : bestand lager* vorrat* stock inventaire inventario existencias
discount code coupon : rabatt* gutschein* remise reduction* bon descuento* cupon* vale
cart checkout : warenkorb* panier* carrito* cesta
contact person lead : ansprechpartner* interessent* prospect* lead
company account : firma firmen unternehmen entreprise* societe* empresa* compania*
deal opportunity : geschaft* abschluss* affaire* negocio* oportunidad*
call phone log : anruf* telefon* appel* telephon* llam* telefono*
task reminder create : erinnere erinnerung* rappel* recordatorio*
ticket support : anfrage* beschwerde* storung* reclam* plainte* queja* demande* solicitud*
assign : zuteil* ubertrag* gib ubergib confie donne assigne asigna
resolve close : erledig* gelost lose abgeschlossen resou* regle* terminee* terminer resuelv* resuelto listo
reopen : wiedereroffn* rouvr* reabr*
priority urgent : dringend* wichtig* urgent* importante* prioridad* priorit*
customer satisfaction rating : zufrieden* bewertung* satisf* note_des valoracion*
article knowledge help : anleitung* hilfe* handbuch* aide mode_d_emploi ayuda manual*
employee staff : mitarbeiter* angestellt* kolleg* employe* collegue* emplead* colega*
vacation leave : urlaub* ferien conge* vacances vacaciones
salary payroll : gehalt* lohn* salaire* sueldo* nomina*
expense : ausgabe* spesen* depense* frais gasto*
tax : steuer* impot* taxe* impuesto*
account balance : konto* kontostand* compte* solde* cuenta* saldo*
transfer payment : uberweis* virement* transfer* transferencia*
contract document : vertrag* vertrage contrat* contrato*
sign document : unterschreib* signe* firma_el firmar
turn on switch light : einschalt* anmach* anschalt* schalt* allum* enciend* encend* prend*
turn off switch light : ausschalt* ausmach* abschalt* etein* eteins apag*
on : an ein_schalten
brightness light dim : dimm* hell* dunk* helligkeit* lumin* brill* atenua*
color light : farbe* couleur* color* rot blau grun gelb rouge bleu vert jaune rojo azul verde amarillo
temperature thermostat climate : temperatur* warm* heiz* kalt* grad thermostat* chauff* chaud froid* degres calefaccion calor frio grados
cover blind shutter curtain open close : rollladen rolladen jalousie* vorhang* rollo* volet* store rideau* persiana* cortina* baja baje sube subir
lock front door : verriegel* abschliess* sperr* tur* verrouill* porte* serrure* puerta* cerradura*
unlock front door : entriegel* aufschliess* aufsperr* deverrouill* desbloque*
alarm security arm : alarm* scharf* alarme* alarma*
vacuum robot clean : saug* staubsaug* aspir* nettoi* limpia* aspira*
scene activate : szene* stimmung* ambiance scene* escena*
automation trigger : automatisch* automatis* regel* automatiq* automatic* jeden_abend chaque_soir cada_noche
energy power usage : strom* verbrauch* energie* electricite conso* electricidad consum* energia
camera snapshot : kamera* camara* camera*
sensor history humidity : feucht* luftfeucht* humid* humedad sensor*
device : gerat* appareil* dispositiv* aparato*
room : zimmer* raum* kuche* wohnzimmer* schlafzimmer* bad cuisine* salon* chambre* cocina* dormitorio* bano
play music start : spiel* abspiel* joue* jouer ecoute* reprodu* pon poner toca tocar escuch*
pause playback stop : pausier* pause pausa* halte anhalt*
next skip track : nachst* uberspring* suivant* prochain* siguiente* proxim* salta*
previous back : vorherig* vorig* zuruck precedent* retour arriere anterior* atras vuelve volver
volume set : laut* leis* lautstarke* fort moins_fort volume volumen alto bajo mas_alto
playlist : wiedergabeliste* playlist* liste_de_lecture lista_de_reproduccion
queue add : warteschlange* file_d_attente cola
album save : album* sammlung
lyrics text : liedtext* paroles letra*
recommend suggestion : empfehl* empfiehl* vorschlag* schlag recommand* propose* sugg* recomiend* recomend* sugier*
artist follow : kunstler* sanger* artiste* chanteur* artista* cantante* folge* suis suivre sigue seguir
speaker device transfer : lautsprecher* enceinte* altavoz* hautparleur*
song track : lied* titel* stuck chanson* morceau* titre* cancion* tema
movie show : serie* kino* cinema
book : buch bucher livre* libro*
recipe : rezept* recette* receta*
flight search : flug* fluge vol vols vuelo*
hotel search : hotel* unterkunft* hebergement* alojamiento*
train station : zug* bahn* train* gare* tren* estacion*
car : auto* wagen voiture* coche* carro
trip : reise* voyage* viaje*
table reservation : tisch* tabl* mesa*
currency exchange convert : wahrung* devise* divisa* moneda* wechselkurs* umtausch* kurs taux cambio euros dollar* dolares
stock price quote : aktie* kurs boerse borse action* bourse accion* bolsa
temperature weather forecast : regn* regen sonn* schnee pleu* pluie neige soleil llover llueve lluvia nieve sol pronostic* vorhersag* previsions
gold price : gold or oro
read url page : artikel
screenshot : aufnahme bildschirm* ecran* captura* 
choose select option : wahle* auswahl* choisi* selectionn* elige* elegir seleccion*
type enter text : tipp* eingeb* gib_ein saisi* tape* teclea* escribe
fill form : ausfull* fulle* rempli* rellen* complet*
back page : zuruckgeh* revien* reviens
tab : tab onglet* pestana* reiter
wait : wart* attend* espera* aguard*
error console : javascript
accept dialog : akzeptier* annehm* bestatig* accept* confirm* acept*
close : zumach*
approve review : genehmig* freigeb* freigabe approuv* valid* aprueb* aprob*
review : begutacht* durchseh* relire relis revis*
build job log : schlug fehlgeschlagen* echoue* echec* fallo fallado
version release : version* veroffentlich* ausgabe* publi* lanzamiento*
repository copy fork : abspalt* forke bifurca*
commit log : eingecheckt* einchecken einzucheck* ubernommen valide*
switch checkout : wechsel* wechsle bascul* cambiate pasa
staged changes : vorgemerkt* bereitgestellt* indexe* preparados
unstaged changes diff : geandert* modifies
size directory : platz speicherplatz espace espacio
subfolder directory : unterordner sousdossier* subcarpeta*
replace edit : ersetz* remplac* reemplaz* sustitu*
compress : komprimier* packe* compress* comprim*
restore : wiederherstell* restaur* recuper*
undo revert : ruckgangig* deshac* deshaz*
share permission : teil* freigeb* partag* compart*
invite member : einlad* lad lade_ein invit*
notify alert : benachrichtig* melde* notifi* avis* alert*
subscribe : abonnier* abonn* suscrib*
unsubscribe : abmeld* abbestell* desabonn* desuscrib*
report : bericht* rapport* informe* reporte*
summary : zusammenfass* resum* 
calculate sum : rechn* berechn* calcul*
average : durchschnitt* moyenne* promedio*
week : woche* semaine* semana*
month : monat* mois mes
year : jahr* annee* an ano
version history : versionen
backup : sicherung* sauvegarde* respaldo* copia_de_seguridad
server status health : lauft erreichbar fonctionne marche funciona
user create invite : neuer_benutzer
member list : wer_ist
project : projekt* projet* proyecto*
deadline due : frist* fallig* echeance* vencimiento* plazo*
available free : frei* verfugbar* disponib* libre*
attach upload : anhang* anhang piece_jointe adjunt* joindre joins
forward email : weiterleit* leite transfer* reenvi*
unread inbox : ungelesen* posteingang* nonlu* boite bandeja no_leidos
search knowledge memory : weisst weiss sais sabes
works relation : arbeitet travaille trabaja
fact observation : allergisch* mag mags aime gusta
last recent latest list : letzt* zuletzt dernier* derniere* recent* ultim*
still open : noch encore toujours aun todavia
uncommitted changes status : sin_confirmar unbestatigt* non_valide*
escalate : eskalier* escal*
pull_request create : demande_de_fusion solicitud_de_cambios
picture image file : bilder
transfer send money : uberweise uberweist
candidate applicant application : bewerb* bewirb* candidat* postul*
job position : stelle stellen poste puesto*
cook recipe : koch* cuisin* cocin* kochen
sleep : schlaf* geschlafen dormi* dorm* sueno
walk step : gelaufen schritt* pas pasos
car rental : miet* lou* alquil*
blog post article : beitrag* blogbeitrag* blog* billet_de_blog entrada*
transaction payment list : bezahlt ausgegeben pague paye depense gaste
battery charge : akku* batterie* bateria*
workout training session : trainings* entrainement* entrenamiento*
exercise history : ubung* bankdrucken exercice* developpe ejercicio*
reject decline : absage* ablehn* refus* rechaz* negativa
grocery product : lebensmittel* einkauf* epicerie comestible*
time entry track : arbeitszeit* stunden heures horas gebucht
app uninstall device : deinstall* desinstall* desinstal*
subscription plan : abo abos abonnement* suscripcion*
seat : sitz* siege* asiento*
luggage baggage : gepack* koffer* bagage* equipaje*
patient appointment doctor : arzt* medecin* medico*
medication drug : medikament* medicament*
court case law : gericht* urteil* tribunal*
survey form response : umfrage* sondage* encuesta*
campaign newsletter : rundbrief* infolettre boletin*
server instance machine : serveur* servidor*
domain : domane* domaine* dominio*
certificate : zertifikat* certificat* certificado*
key secret : schlussel* cle clave*
chart graph : diagramm* graphique* grafic*
oncall oncalls : bereitschaft* astreinte*
accommodation stay search listing : logement* wohnung* ferienwohnung*
`;
