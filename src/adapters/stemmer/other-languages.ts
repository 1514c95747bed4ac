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
`;
